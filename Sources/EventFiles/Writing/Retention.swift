import Basics
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
    /// - Throws: the first error; all that can be removed is.
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
        var first: FileSystemError?
        func removeOldest() {
            guard let segment = oldest.popFirst() else { return }
            do throws(FileSystemError) {
                try folder.remove(segment.name.sealed)
                bytes -= segment.status.bytes
                removed.append(segment.name.sealed)
            } catch {
                // One file that nobody may remove does not keep all the younger ones.
                first = first ?? error
            }
        }
        while bytes > options.retainBytes, !oldest.isEmpty { removeOldest() }
        let age = options.retainAge.clampedNanoseconds / 1_000_000
        // A clock may say anything: to subtract must not overflow, and the newest stays.
        if oldest.count > 1, let first = oldest.first, now.subtractingClamped(first.status.modifiedMilliseconds) > age { removeOldest() }
        while oldest.count > max(0, options.retainFiles) { removeOldest() }
        if let first { throw first }
        return removed
    }
}
