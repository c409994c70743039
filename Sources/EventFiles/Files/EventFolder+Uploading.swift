import Basics
package import TrackingEvents

extension EventFolder {
    package struct Sealed: Sendable {
        package let name: SegmentName
        package let status: FileStatus
        /// Whether it has to wait for a recovery or for the end of a forgetting.
        package fileprivate(set) var isHeldBack = false
    }

    package var isBeingErased: Bool { get throws(FileSystemError) { try status(Erasure.markerName) != nil } }

    /// Whether somebody is erasing everything in a folder, for callers that do not hold it open.
    package static func isBeingErased(_ path: String, on fileSystem: any FileSystem) throws(EventFileError) -> Bool {
        let folder = try open(path, on: fileSystem, making: false)
        return try storing { () throws(FileSystemError) in try folder.isBeingErased }
    }

    /// The sealed segments of events, smallest number first.
    ///
    /// Holds back segments whose killed writer left a ring, which may hold more lines, and those under both names (``unfinished(_:)``).
    package func segmentsToSend() throws(FileSystemError) -> [Sealed] {
        var found: [Sealed] = []
        let names = try names()
        let orphaned = try writersWithOrphanedRing(names)
        let unfinished = Self.unfinished(names)
        for (fileName, name, state) in SegmentName.parsed(names) where state == .sealed && name.contents == .events {
            guard let status = try status(fileName), status.kind == .regular else { continue }
            let isHeldBack = orphaned.contains(name.writerName) || unfinished.contains(name)
            found.append(Sealed(name: name, status: status, isHeldBack: isHeldBack))
        }
        let halfForgotten = try halfForgotten(among: found.map(\.name))
        for index in found.indices where halfForgotten.contains(found[index].name) { found[index].isHeldBack = true }
        return found.sorted { ($0.name.number, $0.name.writer, $0.name.stem) < ($1.name.number, $1.name.writer, $1.name.stem) }
    }

    /// The old and the new files of killed forgettings: both hold the same events, and wait until a forgetting is finished.
    func halfForgotten(among names: [SegmentName]) throws(FileSystemError) -> Set<SegmentName> {
        // The two have the same number. Mostly all numbers differ, and no digest has to be computed.
        var numbers: Set<Int64> = []
        let shared = Set(names.lazy.map(\.number).filter { !numbers.insert($0).inserted })
        let present = Set(names)
        var found: Set<SegmentName> = []
        for name in names where shared.contains(name.number) {
            let new = ForgetRewriting.replacement(of: name)
            if present.contains(new), try ForgetRewriting.isHalfDone(name.sealed, in: self) { found.formUnion([name, new]) }
        }
        return found
    }

    /// The SHA-256 of a file; `nil` if it is gone, or no longer has the identity and the size in `known`.
    package func sha256(ofFileNamed name: String, _ known: FileStatus) throws(FileSystemError) -> SHA256.Digest? {
        guard let file = try openIfThere(name) else { return nil }
        defer { fileSystem.close(file) }
        let status = try status(of: file, named: name)
        guard status.isSameFile(as: known), status.bytes == known.bytes else { return nil }
        var (hash, offset) = (SHA256(), Int64(0))
        let room = ByteBuffer(capacity: 256 * 1024)
        while offset < status.bytes {
            room.removeAll()
            let count = try call(name, fileSystem.append(of: file, at: offset, to: room))
            if count == 0 { return nil }
            hash.update(room.raw)
            offset += Int64(count)
        }
        return hash.finish()
    }

    /// Moves a segment that a destination has acknowledged to ``SentFolder``, by one rename, and removes its summary. The move survives a
    /// power loss when this returns. Otherwise the segment could come back when the journal no longer names it: a forgetting would then
    /// give its events another name, under which they are sent again.
    package func moveToSent(_ segment: SegmentName) throws(FileSystemError) {
        let sent = try madeFolder(SentFolder.name)
        // The segment goes last, so that a kill in between leaves no summary without its segment.
        try remove(segment.summary)
        // Somebody may have removed it, or moved it there already.
        try call(segment.sealed, rename(segment.sealed, to: segment.sealed, in: sent), allowing: ENOENT)
        try sent.synchronize()
        try synchronize()
    }

    /// The names of the segments in ``SentFolder``.
    ///
    /// Also removes the files that a killed forgetting was making there. The caller holds the uploader's lock, so no forgetting is at work.
    package func sentSegments() throws(FileSystemError) -> [SegmentName] {
        guard let sent = try existingFolder(SentFolder.name) else { return [] }
        var segments: [SegmentName] = []
        for (fileName, name, state) in SegmentName.parsed(try sent.names()) {
            if state == .sealed { segments.append(name) }
            if state == .temporary { try sent.remove(fileName) }
        }
        return segments
    }

    package func removeSent(_ segment: SegmentName) throws(FileSystemError) {
        guard let sent = try existingFolder(SentFolder.name), try sent.status(segment.sealed)?.kind == .regular else { return }
        try sent.remove(segment.sealed)
    }
}
