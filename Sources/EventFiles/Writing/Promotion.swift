#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Moves what was spooled while consent was pending to where the other events are: file by file, each by one rename.
///
/// It may be killed at any point: what is moved is moved, and the rest is moved by the next one. Names never clash, as each spool has
/// random digits of its own in them.
struct Promotion {
    let spool: EventFolder
    let main: EventFolder
    let options: EventFileWriterOptions

    /// - Returns: what earlier writers had left unfinished in the spool.
    /// - Throws: ``EventFileError/storage(_:)`` where something could not be moved; all the rest is.
    func run() throws(EventFileError) -> RecoveryReport {
        var recovery = Recovery(folder: spool, options: options)
        while !recovery.isDone { recovery.step() }
        var first = recovery.report.error ?? recovery.report.orphans.lazy.compactMap(\.postponement).first
        do throws(FileSystemError) {
            for name in try spool.names().sorted() where SegmentName.parse(name)?.state == .sealed {
                do throws(FileSystemError) {
                    try move(name, from: spool, to: main)
                } catch {
                    first = first ?? .storage(error)
                }
            }
            try moveQuarantine()
            try main.synchronize()
            try spool.synchronize()
        } catch {
            first = first ?? .storage(error)
        }
        if let first { throw first }
        return recovery.report
    }

    private func move(_ name: String, from folder: EventFolder, to target: EventFolder) throws(FileSystemError) {
        guard let status = try folder.status(name), status.kind == .regular else { return }
        // A rename would take the place of what stands there.
        if try target.status(name) != nil { throw FileSystemError(.rename, errno: EEXIST, path: name) }
        do throws(FileSystemError) {
            try folder.call(name) { files throws(FileSystemError) in
                try files.move(name, from: folder.descriptor, to: target.descriptor)
            }
        } catch {
            // Another process was faster.
            if error.errno != ENOENT { throw error }
        }
    }

    private func moveQuarantine() throws(FileSystemError) {
        guard let inside = try spool.existingFolder(Quarantine.folderName) else { return }
        defer { inside.close() }
        let names = try inside.names().filter { $0.hasSuffix(Quarantine.suffix) }
        if !names.isEmpty {
            let target = try main.madeFolder(Quarantine.folderName)
            defer { target.close() }
            for name in names { try move(name, from: inside, to: target) }
            try target.synchronize()
        }
        try spool.removeFolderIfEmpty(Quarantine.folderName)
    }
}

extension RecoveryReport.Orphan {
    /// Why it was left for later, if it was.
    fileprivate var postponement: EventFileError? { if case .postponed(let error) = outcome { error } else { nil } }
}
