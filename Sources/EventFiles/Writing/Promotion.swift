import Basics
import TrackingEvents

/// Moves the files of ``PendingFolder`` to the main folder, each by one rename, a summary after its segment.
///
/// It may be killed at any point: the next promotion moves the rest. Names never clash: each new pending writer draws new digits.
struct Promotion {
    let pending: EventFolder
    let main: EventFolder
    let options: EventFileWriterOptions
    let clock: WallClock

    /// - Returns: what the recovery of the pending folder did, which comes first.
    /// - Throws: the first error, if a file could not be recovered or moved. The others are moved all the same.
    func run() throws(EventFileError) -> RecoveryResult {
        var recovery = Recovery(folder: pending, above: main, options: options, clock: clock)
        var first = recovery.run().firstError
        do throws(FileSystemError) {
            let names = try pending.names().sorted()
            // A segment stays that could not be recovered, or whose writer left a ring: without it, the ring's lines would be taken again.
            var unmoved = EventFolder.unfinished(names)
            let orphaned = try pending.writersWithOrphanedRing(names)
            // In this order a segment comes before its summary.
            for (fileName, name, state) in SegmentName.parsed(names) where state == .sealed || state == .summary {
                if unmoved.contains(name) || orphaned.contains(name.writerName) { continue }
                do throws(FileSystemError) {
                    try move(fileName, from: pending, to: main)
                } catch {
                    unmoved.insert(name)
                    first = first ?? .storage(error)
                }
            }
            try moveQuarantine()
            try main.synchronize()
            try pending.synchronize()
        } catch {
            first = first ?? .storage(error)
        }
        if let first { throw first }
        return recovery.result
    }

    private func move(_ name: String, from folder: EventFolder, to target: EventFolder, replaces: Bool = false) throws(FileSystemError) {
        guard let status = try folder.status(name), status.kind == .regular else { return }
        // A rename would replace another file with this name.
        if !replaces, try target.status(name) != nil { throw FileSystemError(.rename, errno: EEXIST, path: name) }
        // Another process may have moved it already.
        try folder.call(name, folder.rename(name, to: name, in: target), allowing: ENOENT)
    }

    private func moveQuarantine() throws(FileSystemError) {
        guard let inside = try pending.existingFolder(Quarantine.folderName) else { return }
        let names = try inside.names().filter { $0.hasSuffix(Quarantine.suffix) }
        if !names.isEmpty {
            let target = try main.madeFolder(Quarantine.folderName)
            for name in names {
                // A power loss may bring back a file that was moved. Of two copies, the longer one has all bytes of the shorter.
                if let there = try target.status(name), let here = try inside.status(name), there.bytes >= here.bytes {
                    try inside.remove(name)
                } else {
                    try move(name, from: inside, to: target, replaces: true)
                }
            }
            try target.synchronize()
        }
        try pending.removeFolderIfEmpty(Quarantine.folderName)
    }
}
