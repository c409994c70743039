import Basics
import TrackingEvents

/// The lines that wait on one lane, in one run of bytes.
///
/// It keeps no places of lines: a member ends behind the last line feed within its size, which is never further away than one line.
struct RingLines {
    private(set) var bytes: ByteBuffer
    /// The bytes before this were dropped as the oldest.
    private(set) var start = 0
    /// How many lines wait.
    private(set) var count = 0
    /// How many of them the writer made itself.
    private(set) var notes = 0
    /// When the oldest line came, on the monotonic clock.
    private(set) var since: Int64 = 0
    /// How many lines there ever were.
    private(set) var added = 0

    /// - Parameter capacity: bytes; it grows as needed.
    init(capacity: Int) { bytes = ByteBuffer(capacity: capacity) }

    var byteCount: Int { bytes.count - start }

    /// Counts the line that was appended to ``bytes``.
    @inline(__always)
    mutating func lineAdded(isNote: Bool, at now: @autoclosure () -> Int64) {
        if count == 0 { since = now() }
        count += 1
        added += 1
        if isNote { notes += 1 }
    }

    /// Hands over all lines, or full members only; what is left of the latter moves to the front of the other buffer.
    ///
    /// - Parameter other: an empty buffer.
    mutating func take(fullMembersOnly: Bool, into other: ByteBuffer, at now: Int64) -> Batch {
        var end = bytes.count
        // With notes among the lines everything goes: nobody knows in which member they are.
        if fullMembersOnly && notes == 0 {
            end = start
            while bytes.count - end > BGZF.rawLimit { end = Batch.memberEnd(in: bytes, from: end, limit: bytes.count) }
        }
        let tail = UnsafeBufferPointer(rebasing: bytes.bytes[end...])
        other.append(tail)
        let tailCount = Batch.lines(in: tail)
        let batch = Batch(bytes: bytes, place: start, end: end, lines: count - tailCount, notes: notes)
        bytes = other
        start = 0
        count = tailCount
        notes = 0
        // Where the thread keeps up, the lines of the tail have just come.
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
        count += batch.lines
        notes += batch.notes
        self.since = since
        return free
    }

    /// Puts other lines behind these.
    mutating func append(_ other: RingLines) {
        if other.count == 0 { return }
        if count == 0 { since = other.since }
        bytes.append(UnsafeBufferPointer(rebasing: other.bytes.bytes[other.start...]))
        count += other.count
        notes += other.notes
        added += other.count
    }

    /// Counts lines of a batch that was taken from another lane and is put back here.
    mutating func adopted(_ lines: Int) { added += lines }

    mutating func removeAll() {
        bytes.removeAll()
        start = 0
        count = 0
        notes = 0
    }

    /// The oldest line, with its line feed. There must be one.
    var oldest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes.base + start, count: lineLength(at: start)) }

    /// Removes the oldest line, or moves it to the end.
    mutating func passOldest(keeping isKept: Bool) {
        let length = lineLength(at: start)
        if isKept {
            bytes.reserve(length)
            bytes.append(UnsafeBufferPointer(start: bytes.base + start, count: length))
        } else {
            count -= 1
        }
        start += length
        compact()
    }

    /// The lines in order, each with its line feed.
    ///
    /// - Parameter offset: bytes of lines before the first.
    func forEach(from offset: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var place = start + offset
        while place < bytes.count {
            let length = lineLength(at: place)
            body(UnsafeBufferPointer(start: bytes.base + place, count: length))
            place += length
        }
    }

    /// Removes all lines but the first, so many, one by one.
    mutating func dropAll(behind kept: Int, _ each: (EncodedLine) -> Void) {
        var (place, index) = (start, 0)
        var end = start
        while place < bytes.count {
            let length = lineLength(at: place)
            if index >= kept { each(EncodedLine(UnsafeBufferPointer(start: bytes.base + place, count: length))) }
            place += length
            if index < kept { end = place }
            index += 1
        }
        bytes.truncate(to: end)
        count = min(count, kept)
        notes = min(notes, count)
    }

    /// Removes the bytes of a line that was appended and not counted.
    mutating func truncate(to count: Int) { bytes.truncate(to: count) }

    private func lineLength(at place: Int) -> Int { Batch.lineEnd(in: bytes, from: place, limit: bytes.count) - place }

    private mutating func compact() {
        if start < bytes.count / 2 { return }
        bytes.removeFirst(start)
        start = 0
    }
}
