/// How much of a ring in memory is in its file, where the file is not mapped. Part of ``Ring``, under the same lock.
///
/// A process may be killed between any two writes. So lines are written only where the file's head counts none, and the head follows.
final class WrittenRing {
    typealias Write = (offset: Int64, bytes: [UInt8])

    /// Whether each line is written before ``EventFileWriter/record(_:)`` returns.
    let isAtOnce: Bool
    /// When the first line came that is not in the file yet; `nil` if all lines are.
    var staleSince: Int64?
    /// Whether the thread has yet to be woken for that line.
    var mustWake = false
    /// Why a write of ``writeAtOnce()`` failed: nothing more is written, and the thread gives the file up.
    var error: FileSystemError?
    /// Whether the memory holds anything that is not in the file.
    var isStale = true
    /// From this position on, the file lacks the memory's lines, or holds others in their place.
    var changed = 0
    /// Where lines that are in the file were marked as dropped.
    var dropped: [Int] = []
    /// The lines that the file's head counts. Before the first write the file has no head, which must be written before any line.
    fileprivate var (start, end) = (0, Int.max)

    init(isAtOnce: Bool) { self.isAtOnce = isAtOnce }
}

extension Ring {
    /// The writes that bring the file up to date, in this order. Whoever takes them carries them out before anybody takes more.
    func takeWrites() -> [WrittenRing.Write] {
        guard let written, written.isStale, written.error == nil else { return [] }
        var writes: [WrittenRing.Write] = []
        let first = max(min(written.changed, end), start)
        // The new lines overwrite lines that the file's head still counts: a head that counts none of them goes first.
        if first < end, written.end > first || end - written.start > capacity { writes.append((0, head(endingAt: first))) }
        var at = first
        while at < end {
            let count = min(end - at, capacity - at % capacity)
            writes.append(frameBytes(count, at: at))
            at += count
        }
        writes.append((0, head(endingAt: end)))
        // Dropped lines are marked after the head, which counts the drops.
        writes += written.dropped.filter { start <= $0 && $0 < first }.map { frameBytes(RingFrame.headBytes, at: $0) }
        (written.start, written.end, written.changed) = (start, end, end)
        (written.dropped, written.isStale, written.staleSince, written.mustWake) = ([], false, nil, false)
        return writes
    }

    private func head(endingAt position: Int) -> [UInt8] {
        var page = Array(UnsafeRawBufferPointer(start: memory, count: RingHead.bytes))
        let end = RingHead.checked(position, key: key).littleEndian
        page.withUnsafeMutableBytes { $0.storeBytes(of: end, toByteOffset: RingHead.Offset.end, as: UInt64.self) }
        return page
    }

    private func frameBytes(_ count: Int, at position: Int) -> WrittenRing.Write {
        let offset = RingHead.bytes + position % capacity
        return (Int64(offset), Array(UnsafeRawBufferPointer(start: memory + offset, count: count)))
    }

    func isBehind(at now: @autoclosure () -> Int64) {
        guard let written else { return }
        if written.isAtOnce { return writeAtOnce() }
        if written.staleSince == nil { (written.staleSince, written.mustWake) = (now(), true) }
    }

    /// Brings the file up to date, up to the first write that fails: a head must not count lines that are not in the file.
    func writeAtOnce() {
        guard let file, let written else { return }
        do throws(FileSystemError) { for write in takeWrites() { try file.write(write) } } catch { written.error = error }
    }
}

extension Ring.File {
    func write(_ write: WrittenRing.Write) throws(FileSystemError) {
        try write.bytes.withUnsafeBufferPointer { bytes throws(FileSystemError) in
            do throws(FileSystemError) {
                try fileSystem.writeAll(UnsafeRawBufferPointer(bytes), to: descriptor, at: write.offset)
            } catch {
                throw error.naming(name)
            }
        }
    }
}
