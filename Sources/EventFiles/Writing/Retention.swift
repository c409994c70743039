import TrackingEvents

/// Removes the oldest published segments beyond the limits.
///
/// Only regular files whose names are in the grammar and have the writer's stem are looked at: never the active file, never a
/// link. For their age at most one goes each time, so that a clock ten years ahead does not empty the folder.
struct Retention {
    let folder: EventFolder
    let options: EventFileWriterOptions

    /// - Parameter now: wall clock, milliseconds since 1970.
    /// - Returns: the names removed, in order.
    @discardableResult
    func apply(now: Int64) throws(FileSystemError) -> [String] {
        var sealed: [(name: SegmentName, status: FileStatus)] = []
        var bytes: Int64 = 0
        for fileName in try folder.names() {
            guard let (name, state) = SegmentName.parse(fileName), name.stem == options.stem, name.contents == options.contents,
                state != .temporary,
                let status = try folder.status(fileName), status.kind == .regular
            else { continue }
            bytes += status.bytes
            if state == .sealed { sealed.append((name, status)) }
        }
        sealed.sort { ($0.name.number, $0.name.writer) < ($1.name.number, $1.name.writer) }
        var oldest = sealed[...]
        var removed: [String] = []
        func removeOldest() throws(FileSystemError) {
            guard let segment = oldest.popFirst() else { return }
            try folder.remove(segment.name.sealed)
            bytes -= segment.status.bytes
            removed.append(segment.name.sealed)
        }
        while bytes > options.retainBytes, !oldest.isEmpty { try removeOldest() }
        let age = options.retainAge.clampedNanoseconds / 1_000_000
        if let first = oldest.first, now - first.status.modifiedMilliseconds > age { try removeOldest() }
        while oldest.count > options.retainFiles { try removeOldest() }
        return removed
    }
}
