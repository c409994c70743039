import Basics
import Synchronization
import TrackingEvents

/// A copy of what waits on a lane, in a mapped file, so that it survives the end of the process (``RingHead``, ``RingFrame``).
///
/// Every method is one of the lane's and called under its lock. Nothing here makes a system call or takes memory: a store into the file's
/// memory is all. In what order lines come, and which are gone, must always agree with the lane.
///
/// Where that cannot be, as with lines that fit into no ring, the file is **paused**: what comes is not copied until nothing waits any more.
final class RingFile {
    /// The largest that is ever made.
    static let maxBytes: Int64 = 1 << 30

    let name: String
    let file: FileDescriptor
    let inode: UInt64
    /// Bytes of the whole file.
    let bytes: Int
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    private let key: UInt64
    /// Bytes that only meta lines may take.
    private let reserve: Int
    // Unchecked, as the ring's lock lets in one thread at a time.
    @exclusivity(unchecked) private var start = 0
    @exclusivity(unchecked) private var end = 0
    /// The place in the file at which the next frame goes.
    @exclusivity(unchecked) private var place = 0
    /// Whether what comes is not copied.
    @exclusivity(unchecked) private(set) var isPaused = false
    /// The first frame that the thread has not taken, if it was looked for since the thread took some.
    private var untaken: Int?
    private var dropped = [UInt64](repeating: 0, count: RingHead.reasons.count)
    /// How many of them lines report.
    private var reportedCounts = [UInt64](repeating: 0, count: RingHead.reasons.count)
    private var reportedSlot = 0
    /// Drops by session that no line reports, with where they stand in the head.
    private var sessions: [String: (index: Int, count: Int)] = [:]
    #if DEBUG
    /// Called before each store, for a simulation that ends the process there.
    var beforeStore: (() -> Void)?
    #endif

    /// Makes the head of an empty ring.
    ///
    /// - Parameters:
    ///   - memory: of the whole file, all zero.
    ///   - highestNumber: that its writer gave to a segment; 0 for none.
    ///   - reserve: bytes that only meta lines may take.
    init(
        name: String, file: FileDescriptor, inode: UInt64, memory: UnsafeMutableRawPointer, bytes: Int, contents: SegmentContents,
        bootID: UInt64, key: UInt64, highestNumber: Int64, reserve: Int
    ) {
        (self.name, self.file, self.inode, self.memory, self.bytes, self.key) = (name, file, inode, memory, bytes, key)
        capacity = bytes - RingHead.bytes
        self.reserve = min(reserve, capacity / 4)
        let head = RingHead(contents: contents, capacity: capacity, bootID: bootID, inode: inode, key: key)
        for offset in [RingHead.Offset.start, RingHead.Offset.end] + RingHead.reasons.indices.map({ RingHead.Offset.dropped + 8 * $0 }) {
            publish(0, at: offset)
        }
        publish(Int(highestNumber), at: RingHead.Offset.number)
        store(RingHead.proved(head.identityWords), at: RingHead.Offset.identity)
    }

    var isEmpty: Bool { start >= end }
    /// Whether some drops are in the totals that no line reports.
    private(set) var hasUnreportedDrops = false

    // MARK: Lines

    /// Whether the line can be appended, or need not be.
    @inline(__always)
    func hasRoom(for length: Int, isMeta: Bool) -> Bool {
        let size = RingFrame.bytes(of: length)
        let room = isMeta ? capacity : capacity &- reserve
        // A line that is too large for an empty ring pauses it.
        return end &- start &+ size <= room || isPaused || size > room
    }

    /// Copies a line behind the others. Where there is no room for it, the ring is paused.
    ///
    /// - Parameter reportsDrops: whether it is a `dropped` line with all drops that no line has reported.
    @inline(__always)
    func append(_ line: UnsafeRawBufferPointer, reportsDrops: Bool = false) {
        let size = RingFrame.bytes(of: line.count)
        if isPaused || end &- start &+ size > capacity || line.count > RingFrame.maxLength {
            isPaused = true
            if reportsDrops { reported(at: end) }
            return
        }
        let frame = memory + RingHead.bytes + place
        let check: UInt32
        willStore()
        if place &+ size <= capacity {
            check = RingFrame.check(of: line, at: end, key: key, copyingTo: frame + RingFrame.headBytes)
            place = place &+ size == capacity ? 0 : place &+ size
        } else {
            check = RingFrame.check(of: line, at: end, key: key)
            let first = capacity &- place &- RingFrame.headBytes
            (frame + RingFrame.headBytes).copyMemory(from: line.baseAddress!, byteCount: first)
            (memory + RingHead.bytes).copyMemory(from: line.baseAddress! + first, byteCount: line.count &- first)
            place = place &+ size &- capacity
        }
        frame.storeBytes(of: RingFrame.head(length: line.count, check: check).littleEndian, as: UInt64.self)
        if reportsDrops { reported(at: end &+ size) }
        end = end &+ size
        publish(end, at: RingHead.Offset.end)
    }

    /// How many lines stand here that are in no segment.
    var lines: Int {
        var count = 0
        var at = start
        while at < end {
            let head = frameHead(at)
            if !RingFrame.isDropped(head) { count += 1 }
            at += RingFrame.bytes(of: RingFrame.length(head))
        }
        return count
    }

    /// Where so many lines end.
    private func place(behind count: Int) -> Int {
        var (left, at) = (count, start)
        while at < end, left > 0 {
            let head = frameHead(at)
            if !RingFrame.isDropped(head) { left -= 1 }
            at += RingFrame.bytes(of: RingFrame.length(head))
        }
        return at
    }

    private func frameHead(_ at: Int) -> UInt64 {
        UInt64(littleEndian: (memory + RingHead.bytes + at % capacity).load(as: UInt64.self))
    }

    /// The first line is dropped that the thread has not in hand.
    ///
    /// - Parameter inHand: how many lines of this ring the thread has in hand.
    func dropOldest(inHand: Int) {
        var at = untaken ?? place(behind: inHand)
        while at < end {
            let head = frameHead(at)
            let next = at + RingFrame.bytes(of: RingFrame.length(head))
            if !RingFrame.isDropped(head) {
                if inHand == 0 {
                    release(upTo: next)
                } else {
                    willStore()
                    (memory + RingHead.bytes + at % capacity).storeBytes(of: (head | RingFrame.droppedMark).littleEndian, as: UInt64.self)
                }
                untaken = next
                return
            }
            at = next
        }
    }

    /// The thread has taken lines, or put them back.
    func handChanged() { untaken = nil }

    /// A segment with a number is written: whoever recovers the lines gives it to no other, even if the segment is gone by then.
    func note(number: Int64) { publish(Int(number), at: RingHead.Offset.number) }

    /// The next member that is written holds so many of the lines.
    ///
    /// - Returns: where they end.
    func note(lines: Int, in segment: SegmentWriter.Active) -> Int {
        let member = RingHead.Member(
            start: start, end: place(behind: lines), writer: UInt64(segment.name.writer, radix: 16) ?? 0, number: segment.name.number,
            inode: segment.inode, offset: segment.offset)
        if member.end > start { store(RingHead.proved(member.words), at: RingHead.Offset.member) }
        return member.end
    }

    /// So many lines at the front are gone, or in another ring.
    func release(lines: Int) { release(upTo: place(behind: lines)) }

    /// Everything before a place is in a segment, or gone.
    func release(upTo place: Int) {
        guard place > start else { return }
        start = place
        publish(start, at: RingHead.Offset.start)
    }

    /// Forgets all lines and drops.
    func removeAll() {
        release(upTo: end)
        forgetDrops()
        untaken = nil
    }

    /// Forgets the drops, and the lines that the thread has not in hand: they stand in another ring now.
    func removeUntaken(inHand: Int) {
        let last = place(behind: inHand)
        reported(at: last)
        end = last
        place = end % capacity
        publish(end, at: RingHead.Offset.end)
        untaken = nil
    }

    /// Nothing waits: begins again at the front, so that few pages of the file are ever touched.
    func restart() {
        isPaused = false
        untaken = nil
        release(upTo: end)
        if place == 0 { return }
        let front = end + capacity - place
        // The start first: a start beyond the end is an empty ring, too.
        release(upTo: front)
        (end, place) = (front, 0)
        publish(end, at: RingHead.Offset.end)
    }

    /// Replaces the lines by others, which may be the same in another order. Killed in between, the ring has lines twice, which a recovery
    /// tells.
    ///
    /// - Parameter lines: calls its argument for each line.
    func replace(bytes: Int, count: Int, by lines: ((UnsafeRawBufferPointer) -> Void) -> Void) {
        isPaused = false
        let old = end
        let most = bytes + count * (RingFrame.headBytes + 7)
        if end - start + most > capacity { restart() }
        if most > capacity {
            isPaused = true
            return
        }
        lines { append($0) }
        release(upTo: old)
        untaken = nil
    }

    // MARK: Drops

    /// Adds drops of events whose sessions are unknown.
    func add(_ count: Int, _ reason: DropReason) {
        guard let index = RingHead.reasons.firstIndex(of: reason) else { return }
        dropped[index] &+= UInt64(max(0, count))
        hasUnreportedDrops = true
        publish(Int(truncatingIfNeeded: dropped[index]), at: RingHead.Offset.dropped + 8 * index)
    }

    /// Adds the drop of an event.
    func add(_ reason: DropReason, session: String?) {
        guard RingHead.reasons.contains(reason) else { return }
        add(1, reason)
        addSession(session ?? "", count: 1)
    }

    /// Adds drops that no line reports.
    func add(_ tally: DropTally) {
        for (reason, count) in tally.reasons { add(count, reason) }
        for (session, count) in tally.named { addSession(session, count: count) }
    }

    /// Counts drops of a session that ``add(_:_:)`` has counted without it, if there is room for the session.
    private func addSession(_ session: String, count: Int) {
        var entry = sessions[session] ?? (sessions.count, 0)
        if entry.count == 0 {
            let all = dropped.indices.reduce(0) { $0 &+ reportedCounts[$1] }
            guard entry.index < RingHead.SessionDrops.most, let words = RingHead.SessionDrops.words(session, reported: all) else { return }
            publish(0, at: RingHead.Offset.sessions + RingHead.SessionDrops.bytes * entry.index)
            store(words, at: RingHead.Offset.sessions + RingHead.SessionDrops.bytes * entry.index + 8)
        }
        entry.count += count
        sessions[session] = entry
        publish(entry.count, at: RingHead.Offset.sessions + RingHead.SessionDrops.bytes * entry.index)
    }

    /// A line that ends at a position reports all drops so far. Valid only once the ring's end reaches that position.
    private func reported(at place: Int) {
        let reported = RingHead.Reported(place: place, counts: dropped)
        store(RingHead.proved(reported.words), at: RingHead.Offset.reported[reportedSlot])
        reportedSlot = 1 - reportedSlot
        reportedCounts = dropped
        sessions.removeAll(keepingCapacity: true)
        hasUnreportedDrops = false
    }

    func forgetDrops() { if hasUnreportedDrops { reported(at: end) } }

    // MARK: Stores

    @inline(__always)
    private func willStore() {
        #if DEBUG
        beforeStore?()
        #endif
    }

    /// The one store that makes what was stored before it count.
    @inline(__always)
    private func publish(_ number: Int, at offset: Int) {
        willStore()
        (memory + offset).assumingMemoryBound(to: Atomic<UInt64>.self).pointee
            .store(RingHead.checked(number, key: key).littleEndian, ordering: .releasing)
    }

    private func store(_ words: [UInt64], at offset: Int) {
        for (index, word) in words.enumerated() {
            willStore()
            (memory + offset + 8 * index).storeBytes(of: word.littleEndian, as: UInt64.self)
        }
    }

    // MARK: The file

    /// Brings to the storage what the head says, and no line: no line here is promised to survive a power loss. The next store into a page
    /// that was brought to the storage waits for the system, and it is a caller who stores.
    func synchronizeHead(on fileSystem: any FileSystem) throws(FileSystemError) {
        try fileSystem.synchronize(memory, bytes: RingHead.bytes, of: file)
    }

    /// Gives the memory and the descriptor back. The file stays.
    func close(on fileSystem: any FileSystem) {
        fileSystem.unmap(memory, bytes: bytes)
        fileSystem.close(file)
    }
}
