import Basics
import TrackingEvents

/// What lies beside the segments of a folder and may hold lines of anybody: unfinished files, copies of damaged ones, bytes that recovery
/// could not read, and summaries of segments that are gone or were replaced.
struct ForgetLeftovers {
    let path: String
    let folder: ForgetFolders.Folder
    /// Whether they are removed, or only listed.
    let removes: Bool
    private(set) var found: [String] = []
    /// Those that somebody is working on.
    private(set) var inUse: [String] = []

    /// The name of the segment that a file was left of; `nil` for any other file.
    static func segment(ofLeftover name: String) -> String? {
        if let (segment, state) = SegmentName.parse(name) {
            switch state {
            case .temporary, .sidecar: return segment.sealed
            case .sealed, .open, .ring: return nil
            }
        }
        if name.isHiddenName, let repaired = name.droppingLastBytes(".repair") { return String(repaired.dropFirst()) }
        guard let damaged = RepairOutput.name(ofDamaged: name) else { return nil }
        return damaged.droppingLastBytes(".open") ?? damaged
    }

    mutating func run() throws {
        for name in try folder.folder.names().sorted() {
            let summarized = Self.file(ofSummary: name)
            guard let file = summarized ?? Self.segment(ofLeftover: name), folder.isMeant(file),
                try folder.folder.status(name)?.kind == .regular
            else { continue }
            if summarized != nil {
                let standing = standing(ofSummaryOf: file)
                // Beside a file of another name stands what anybody may have made; of ours, it is removed.
                if standing == .fits || standing == .foreign && SegmentName.parse(name) == nil { continue }
            }
            let path = FilePath(folder: path, name: name).text
            if name.isHiddenName {
                guard let (file, _) = try folder.folder.takeOver(name) else {
                    if try folder.folder.status(name) != nil { inUse.append(path) }
                    continue
                }
                defer { folder.folder.fileSystem.close(file) }
                try remove(name, path, in: folder.folder)
            } else {
                try remove(name, path, in: folder.folder)
            }
        }
        if removes, !found.isEmpty { try folder.folder.synchronize() }
        try emptyQuarantine()
    }

    /// The event file that a file is named the summary of: a segment or, since `index` takes any name, another one.
    static func file(ofSummary name: String) -> String? {
        guard !name.isHiddenName, let file = name.droppingLastBytes(SegmentSummary.ending) else { return nil }
        return InputListing.isEventFile(file) ? file : nil
    }

    enum Standing { case fits, stale, foreign }

    /// Whether a summary was made of the event file beside it as it is, of one that is gone or was replaced, or is none that can be read.
    func standing(ofSummaryOf file: String) -> Standing {
        do throws(SegmentSummary.Fault) {
            let path = FilePath(folder: path, name: file).text
            return try SegmentSummary.open(forSegmentAt: path, on: folder.folder.fileSystem) == nil ? .foreign : .fits
        } catch {
            return error == .stale ? .stale : .foreign
        }
    }

    private mutating func emptyQuarantine() throws(FileSystemError) {
        guard let quarantine = try folder.folder.existingFolder(Quarantine.folderName) else { return }
        defer { quarantine.close() }
        let before = found.count
        for name in try quarantine.names().sorted() where name.hasSuffix(Quarantine.suffix) {
            // What no segment name begins is the ring of a writer, which is of all its segments.
            if let segments = folder.segments, !segments.contains(where: name.hasPrefix) { continue }
            guard try quarantine.status(name)?.kind == .regular else { continue }
            let inside = FilePath(folder: path, name: Quarantine.folderName).text
            try remove(name, FilePath(folder: inside, name: name).text, in: quarantine)
        }
        if removes, found.count > before { try quarantine.synchronize() }
    }

    private mutating func remove(_ name: String, _ path: String, in folder: EventFolder) throws(FileSystemError) {
        if removes { try folder.remove(name) }
        found.append(path)
    }
}

extension ForgetFolders.Folder {
    /// The files of the folder that hold something else than events, with how many lines of each hold one of the ids; no number where a
    /// file cannot be read to its end.
    func others(at path: String, holding traces: PersonTraces) throws -> [(path: String, lines: Int?)] {
        guard segments == nil else { return [] }
        var found: [(String, Int?)] = []
        for name in try folder.names().sorted() where Self.isOther(name) {
            // What a summary of an event file holds stands in that file.
            if let file = ForgetLeftovers.file(ofSummary: name),
                ForgetLeftovers(path: path, folder: self, removes: false).standing(ofSummaryOf: file) != .foreign
            {
                continue
            }
            guard try folder.status(name)?.kind == .regular else { continue }
            let path = FilePath(folder: path, name: name).text
            var lines = 0
            do {
                let read = try EventFileReader(paths: [path], fileSystem: folder.fileSystem).read(
                    threads: 1,
                    map: { batch in
                        var count = 0
                        batch.forEachLine { if traces.areIn($0) { count += 1 } }
                        return count
                    }, consume: { lines += $0 })
                let isWhole = read.files.allSatisfy { $0.damagedMembers == $0.count(of: .missingEnd) && $0.longLines == 0 }
                if lines > 0 || !isWhole { found.append((path, isWhole ? lines : nil)) }
            } catch EventFileReadError.noSuchPath {
                // Its writer has removed it meanwhile.
                continue
            }
        }
        return found
    }

    private static func isOther(_ name: String) -> Bool {
        if let (segment, state) = SegmentName.parse(name) { return segment.contents == .log && (state == .sealed || state == .open) }
        return ![UploadLock.name, UploadLock.newName, ForgetMark.name, ForgetMark.newName, Erasure.markerName].contains(name)
            && !InputListing.isEventFile(name) && ForgetLeftovers.segment(ofLeftover: name) == nil
    }
}
