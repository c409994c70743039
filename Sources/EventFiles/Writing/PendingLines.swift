import Basics
import TrackingEvents

/// The lines that wait in memory: the callers' side of the two buffers.
///
/// No place of any line is kept: a member is cut by looking for the last line feed within its size, which is the length of
/// one line away.
struct PendingLines {
    private(set) var bytes: ByteBuffer
    /// What is before was dropped as the oldest.
    private(set) var start = 0
    private(set) var lines = 0
    /// How many of the lines the writer made itself.
    private(set) var notes = 0
    /// When the oldest line came, on the monotonic clock.
    private(set) var since: Int64 = 0
    /// How many lines there ever were.
    private(set) var added = 0

    private static let firstCapacity = 128 * 1024

    /// - Parameter capacity: bytes; it grows as needed.
    init(capacity: Int = PendingLines.firstCapacity) { bytes = ByteBuffer(capacity: capacity) }

    var byteCount: Int { bytes.count - start }

    /// Counts the line that was appended to ``bytes``.
    @inline(__always)
    mutating func lineAdded(isNote: Bool, at now: @autoclosure () -> Int64) {
        if lines == 0 { since = now() }
        lines += 1
        added += 1
        if isNote { notes += 1 }
    }

    /// Hands everything over, or full members only; then what is not yet a member moves to the front of the other buffer.
    ///
    /// - Parameter other: an empty buffer.
    mutating func take(fullMembersOnly: Bool, into other: ByteBuffer, at now: Int64) -> Batch {
        var end = bytes.count
        // With notes among the lines everything goes, so that it is known whose lines the batch holds.
        if fullMembersOnly && notes == 0 {
            end = start
            while bytes.count - end > BGZF.rawLimit { end = Batch.memberEnd(in: bytes, from: end, limit: bytes.count) }
        }
        let tail = UnsafeBufferPointer(rebasing: bytes.bytes[end...])
        other.append(tail)
        let tailLines = Batch.lines(in: tail)
        let batch = Batch(bytes: bytes, place: start, end: end, lines: lines - tailLines, notes: notes)
        bytes = other
        start = 0
        lines = tailLines
        notes = 0
        // The tail's lines came just now, if the writer keeps up.
        since = now
        return batch
    }

    /// Puts lines that could not be written back to the front.
    ///
    /// - Returns: the buffer that is free now.
    mutating func putBack(_ batch: Batch, since: Int64) -> ByteBuffer {
        let free = bytes
        batch.bytes.truncate(to: batch.end)
        batch.bytes.append(UnsafeBufferPointer(rebasing: free.bytes[start...]))
        bytes = batch.bytes
        start = batch.place
        lines += batch.lines
        notes += batch.notes
        self.since = since
        return free
    }

    /// Puts other lines behind these.
    mutating func append(_ other: PendingLines) {
        if other.lines == 0 { return }
        if lines == 0 { since = other.since }
        bytes.append(UnsafeBufferPointer(rebasing: other.bytes.bytes[other.start...]))
        lines += other.lines
        notes += other.notes
        added += other.lines
    }

    /// Counts lines of a batch that is put back here and had been taken from elsewhere.
    mutating func adopted(_ count: Int) { added += count }

    mutating func removeAll() {
        bytes.removeAll()
        start = 0
        lines = 0
        notes = 0
    }

    /// Takes the oldest line away that is no meta line; meta lines before it move to the end.
    ///
    /// - Returns: the line, or `nil` when there is none to drop.
    mutating func dropOldest() -> EncodedLine? {
        for _ in 0..<lines {
            let length = lineLength(at: start)
            let line = UnsafeBufferPointer(start: bytes.base + start, count: length)
            let head = EncodedLine(line)
            if !head.isMeta {
                start += length
                lines -= 1
                compact()
                return head
            }
            bytes.reserve(length)
            bytes.append(UnsafeBufferPointer(start: bytes.base + start, count: length))
            start += length
            compact()
        }
        return nil
    }

    /// Takes everything away, line by line.
    mutating func dropAll(_ each: (EncodedLine) -> Void) {
        while start < bytes.count {
            let length = lineLength(at: start)
            each(EncodedLine(UnsafeBufferPointer(start: bytes.base + start, count: length)))
            start += length
        }
        removeAll()
    }

    /// Forgets the bytes of a line that is not to be kept after all.
    mutating func truncate(to count: Int) { bytes.truncate(to: count) }

    private func lineLength(at place: Int) -> Int { Batch.lineEnd(in: bytes, from: place, limit: bytes.count) - place }

    private mutating func compact() {
        if start < bytes.count / 2 { return }
        bytes.removeFirst(start)
        start = 0
    }
}
