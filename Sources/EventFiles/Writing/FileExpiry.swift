import Basics

/// Chooses the sealed segments that are beyond the limits, and removes them with their summaries. Removes summaries without a segment, too.
///
/// Segments that were sent go first, because nothing is lost by that; then the oldest. It removes only regular files with the writer's stem
/// in their ``SegmentName``: never the segment under way, never a link. Age alone never removes the newest segment.
///
/// Two kinds of segments always stay: those of a writer whose ring needs a recovery (``EventFolder/writersWithOrphanedRing(_:)``), and
/// those that still have their `.open` name, too (``EventFolder/unfinished(_:)``).
///
/// Segments are chosen before a seal and removed after it: the seal makes durable the lines that say what is lost (``RemovedContents``).
struct FileExpiry {
    struct Doomed: Equatable {
        let name: SegmentName
        var bytes: Int64 = 0
        var modifiedMilliseconds: Int64 = 0
        let isSent: Bool
        /// How many events are lost with it; 0 if it was sent.
        var events = 0
    }

    let folder: EventFolder
    let options: EventFileWriterOptions

    /// The segments beyond the limits of bytes and files once `coming` more are published, in the order of removal. Those in `stuck` could
    /// not be removed before: they are chosen again, and their bytes do not count as freed.
    func doomed(
        coming: Int = 0, comingBytes: Int64 = 0, keepsNewest: Bool = false, stuck: Set<String> = []
    ) throws(FileSystemError) -> [Doomed] {
        var bytes = comingBytes
        var candidates = try sealed(openBytes: &bytes)[...]
        bytes = candidates.reduce(bytes) { $0.addingClamped($1.bytes) }
        var doomed: [Doomed] = []
        let least = keepsNewest ? 1 : 0
        while bytes > options.retainBytes || candidates.count + coming > max(0, options.retainFiles), candidates.count > least {
            let segment = candidates.removeFirst()
            if !stuck.contains(segment.name.sealed) { bytes -= segment.bytes }
            doomed.append(segment)
        }
        return doomed
    }

    /// The segments that are older than the limit, in the order of removal. The newest stays, whatever the clock says.
    func expired(now: Int64) throws(FileSystemError) -> [Doomed] {
        var openBytes: Int64 = 0
        let candidates = try sealed(openBytes: &openBytes)
        let newest = candidates.last { !$0.isSent }?.name
        let maxAge = options.retainAge.clampedNanoseconds / 1_000_000
        return candidates.filter { now.subtractingClamped($0.modifiedMilliseconds) > maxAge && $0.name != newest }
    }

    /// The sealed segments, sent ones first, then by rising number. Adds to `bytes` those of segments that are unfinished or must stay.
    private func sealed(openBytes bytes: inout Int64) throws(FileSystemError) -> [Doomed] {
        let names = try folder.names()
        var segments = try sealed(names, in: folder, isSent: false, openBytes: &bytes)
        if names.contains(SentFolder.name), let sent = try folder.existingFolder(SentFolder.name) {
            segments += try sealed(sent.names(), in: sent, isSent: true, openBytes: &bytes)
        }
        return segments.sorted { ($0.isSent ? 0 : 1, $0.name.number, $0.name.writer) < ($1.isSent ? 0 : 1, $1.name.number, $1.name.writer) }
    }

    private func sealed(
        _ names: [String], in folder: EventFolder, isSent: Bool, openBytes: inout Int64
    ) throws(FileSystemError) -> [Doomed] {
        var published: [SegmentName: Doomed] = [:]
        var summaries: [SegmentName: Int64] = [:]
        let orphaned = try folder.writersWithOrphanedRing(names)
        let unfinished = EventFolder.unfinished(names)
        for (fileName, name, state) in SegmentName.parsed(names) where name.stem == options.stem && name.contents == options.contents {
            guard state != .temporary, let status = try folder.status(fileName), status.kind == .regular else { continue }
            switch state {
            case .sealed where orphaned.contains(name.writerName) || unfinished.contains(name): openBytes += status.bytes
            case .sealed:
                published[name] = Doomed(name: name, bytes: status.bytes, modifiedMilliseconds: status.modifiedMilliseconds, isSent: isSent)
            case .summary: summaries[name] = status.bytes
            case .open: openBytes += status.bytes
            case .temporary, .ring: break
            }
        }
        for (name, bytes) in summaries {
            published[name]?.bytes += bytes
            // The segment may be newer than the listing. A summary that cannot be removed is tried again the next time.
            if published[name] == nil, try folder.status(name.sealed) == nil { try? folder.remove(name.summary) }
        }
        return Array(published.values)
    }

    /// Removes a segment with its summary; `false` if it is gone already: sent, or removed by another process.
    func remove(_ segment: Doomed) throws(FileSystemError) -> Bool {
        guard let folder = segment.isSent ? try folder.existingFolder(SentFolder.name) : folder else { return false }
        // The segment goes last, so that a kill in between leaves no summary alone.
        if try folder.status(segment.name.summary)?.kind == .regular { try folder.remove(segment.name.summary) }
        let name = segment.name.sealed
        return try folder.call(name, folder.fileSystem.remove(name, in: folder.descriptor), allowing: ENOENT) != nil
    }
}
