import Basics
import TrackingEvents

/// Removes the oldest published segments beyond the limits, each with its sidecars, and sidecars whose segment is gone.
///
/// It looks only at regular files whose names are in the grammar and have the writer's stem: never at the active file, never at a link.
/// At most one segment a time is removed for its age, so that a clock ten years ahead does not empty the folder.
struct Retention {
    private struct Published {
        let name: SegmentName
        var modifiedMilliseconds: Int64 = 0
        /// Bytes, sidecars included.
        var bytes: Int64 = 0
        var sidecars: [String] = []
    }

    let folder: EventFolder
    let options: EventFileWriterOptions

    /// - Parameter now: wall clock, milliseconds since 1970.
    /// - Returns: the segments removed, in order.
    /// - Throws: the first error. All that can be removed is removed.
    @discardableResult
    func apply(now: Int64) throws(FileSystemError) -> [String] {
        var bytes: Int64 = 0
        var published: [SegmentName: Published] = [:]
        var sidecars: [(name: SegmentName, fileName: String, bytes: Int64)] = []
        for fileName in try folder.names() {
            guard let (name, state) = SegmentName.parse(fileName), name.stem == options.stem, name.contents == options.contents,
                state != .temporary, let status = try folder.status(fileName), status.kind == .regular
            else { continue }
            switch state {
            case .sealed: published[name] = Published(name: name, modifiedMilliseconds: status.modifiedMilliseconds, bytes: status.bytes)
            case .sidecar: sidecars.append((name, fileName, status.bytes))
            case .open: bytes += status.bytes
            case .temporary: break
            }
        }
        var first: FileSystemError?
        for sidecar in sidecars {
            if published[sidecar.name] != nil {
                published[sidecar.name]?.bytes += sidecar.bytes
                published[sidecar.name]?.sidecars.append(sidecar.fileName)
            } else {
                do throws(FileSystemError) {
                    // The listing may be older than the segment.
                    if try folder.status(sidecar.name.sealed) == nil { try folder.remove(sidecar.fileName) }
                } catch {
                    first = first ?? error
                }
            }
        }
        bytes += published.values.reduce(0) { $0 + $1.bytes }
        var oldest = published.values.sorted { ($0.name.number, $0.name.writer) < ($1.name.number, $1.name.writer) }[...]
        var removed: [String] = []
        func removeOldest() {
            guard let segment = oldest.popFirst() else { return }
            do throws(FileSystemError) {
                // The segment goes last: killed in between, no sidecar is left alone.
                for sidecar in segment.sidecars { try folder.remove(sidecar) }
                try folder.remove(segment.name.sealed)
                bytes -= segment.bytes
                removed.append(segment.name.sealed)
            } catch {
                // One file that cannot be removed does not keep all the younger ones.
                first = first ?? error
            }
        }
        while bytes > options.retainBytes, !oldest.isEmpty { removeOldest() }
        let maxAge = options.retainAge.clampedNanoseconds / 1_000_000
        // A clock may say anything: the difference must not overflow, and the newest segment stays.
        if oldest.count > 1, let first = oldest.first, now.subtractingClamped(first.modifiedMilliseconds) > maxAge { removeOldest() }
        while oldest.count > max(0, options.retainFiles) { removeOldest() }
        if let first { throw first }
        return removed
    }
}
