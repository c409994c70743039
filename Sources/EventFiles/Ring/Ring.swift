import Basics
import Synchronization
import TrackingEvents

/// The lines that wait on a lane, as frames in memory (``RingHead``, ``RingFrame``). The memory is a mapped file, whose lines survive the
/// end of the process, or it is written to a file (``WrittenRing``). Without a file, the lines are in the process's memory alone.
///
/// While a lane has it, ``WriterMonitor``'s lock guards it. Appending copies the line, without a system call. Memory without a file grows.
///
/// A position counts all bytes that the lane ever used or skipped before it. Lines keep their positions when the lane gets another ring.
final class Ring {
    struct File {
        let name: String
        let descriptor: FileDescriptor
        let fileSystem: any FileSystem
        let inode: UInt64
        let bytes: Int
    }

    static let maxBytes: Int64 = 1 << 30

    let file: File?
    /// `nil` if the memory is a mapped file, or if there is no file.
    let written: WrittenRing?
    private(set) var memory: UnsafeMutableRawPointer
    private(set) var capacity: Int
    let key: UInt64
    /// Bytes that only meta lines may take.
    private let reserve: Int
    /// Whether the memory has the size of a file and cannot grow.
    private let isFixed: Bool
    /// The positions where the first frame begins and the last ends. Unchecked, because the lock lets in one thread at a time.
    @exclusivity(unchecked) private(set) var start = 0
    @exclusivity(unchecked) private(set) var end = 0
    /// The offset in the memory at which the next frame goes.
    @exclusivity(unchecked) private var offset = 0
    private var dropped = [UInt64](repeating: 0, count: RingHead.reasons.count)
    /// How many of these drops are reported by lines.
    private var reportedCounts = [UInt64](repeating: 0, count: RingHead.reasons.count)
    private var reportedSlot = 0
    /// Drops by session that no line reports, and the index of their entry in the head.
    private var sessions: [String: (index: Int, count: Int)] = [:]
    /// A copy of a line in one piece: in the memory it may wrap around the end.
    private lazy var whole = ByteBuffer(capacity: 1_024)
    #if DEBUG
    /// Called before each store, for a simulation that ends the process there.
    var beforeStore: (() -> Void)?
    #endif

    /// Makes an empty ring in a file. `memory` is all zero: mapped, or to be `written` to the file. `reserve` bytes are for meta lines.
    init(
        _ file: File, memory: UnsafeMutableRawPointer, written: WrittenRing? = nil, contents: SegmentContents, bootID: UInt64, key: UInt64,
        highestNumber: Int64, reserve: Int
    ) {
        (self.file, self.memory, self.written, self.key, isFixed) = (file, memory, written, key, true)
        capacity = file.bytes - RingHead.bytes
        self.reserve = min(reserve, capacity / 4)
        makeHead(RingHead(contents: contents, capacity: capacity, bootID: bootID, inode: file.inode, key: key), highestNumber)
    }

    /// Makes an empty ring in memory of the process's own.
    init() {
        (file, written, key, reserve, isFixed, capacity) = (nil, nil, 0, 0, false, 16 * 1_024)
        memory = .allocate(byteCount: RingHead.bytes + capacity, alignment: 8)
        makeHead(RingHead(contents: .events, capacity: capacity, bootID: 0, inode: 0, key: 0), 0)
    }

    deinit { if file == nil || written != nil { memory.deallocate() } }

    private func makeHead(_ head: RingHead, _ highestNumber: Int64) {
        for offset in [RingHead.Offset.start, RingHead.Offset.end] + RingHead.reasons.indices.map({ RingHead.Offset.dropped + 8 * $0 }) {
            publish(0, at: offset)
        }
        publish(Int(highestNumber), at: RingHead.Offset.number)
        store(RingHead.proved(head.identityWords), at: RingHead.Offset.identity)
    }

    @inline(__always)
    func hasRoom(for length: Int, isMeta: Bool) -> Bool {
        !isFixed || end &- start &+ RingFrame.bytes(of: length) <= (isMeta ? capacity : capacity &- reserve)
    }

    /// Whether an empty ring has room for a line.
    func canHold(_ length: Int, isMeta: Bool) -> Bool {
        !isFixed || RingFrame.bytes(of: length) <= (isMeta ? capacity : capacity - reserve)
    }

    func hasRoom(forAllOf other: Ring) -> Bool { !isFixed || end - start + other.end - other.start <= capacity - reserve }

    /// Puts a line behind the others; there must be room. A line that `reportsDrops` reports all drops that no line has reported yet.
    @inline(__always)
    func append(_ line: UnsafeRawBufferPointer, reportsDrops: Bool = false) {
        let size = RingFrame.bytes(of: line.count)
        if end &- start &+ size > capacity { grow(by: size) }
        let frame = memory + RingHead.bytes + offset
        let check: UInt32
        willStore()
        if offset &+ size <= capacity {
            check = RingFrame.check(of: line, at: end, key: key, copyingTo: frame + RingFrame.headBytes)
            offset = offset &+ size == capacity ? 0 : offset &+ size
        } else {
            check = RingFrame.check(of: line, at: end, key: key)
            let first = capacity &- offset &- RingFrame.headBytes
            (frame + RingFrame.headBytes).copyMemory(from: line.baseAddress!, byteCount: min(first, line.count))
            if first < line.count { (memory + RingHead.bytes).copyMemory(from: line.baseAddress! + first, byteCount: line.count &- first) }
            offset = offset &+ size &- capacity
        }
        frame.storeBytes(of: RingFrame.head(length: line.count, check: check).littleEndian, as: UInt64.self)
        if reportsDrops { reported(at: end &+ size) }
        end = end &+ size
        publish(end, at: RingHead.Offset.end)
    }

    private func grow(by size: Int) {
        precondition(!isFixed, "a line was appended for which the ring file has no room")
        var larger = capacity
        while end - start + size > larger { larger *= 2 }
        let new = UnsafeMutableRawPointer.allocate(byteCount: RingHead.bytes + larger, alignment: 8)
        new.copyMemory(from: memory, byteCount: RingHead.bytes)
        var at = start
        while at < end {
            // A run that crosses the end of neither memory.
            let count = min(end - at, capacity - at % capacity, larger - at % larger)
            (new + RingHead.bytes + at % larger).copyMemory(from: memory + RingHead.bytes + at % capacity, byteCount: count)
            at += count
        }
        memory.deallocate()
        (memory, capacity, offset) = (new, larger, end % larger)
    }

    func frame(at position: Int) -> (length: Int, end: Int, isDropped: Bool) {
        let head = frameHead(position)
        let length = RingFrame.length(head)
        return (length, position + RingFrame.bytes(of: length), RingFrame.isDropped(head))
    }

    private func frameHead(_ position: Int) -> UInt64 {
        UInt64(littleEndian: (memory + RingHead.bytes + position % capacity).load(as: UInt64.self))
    }

    /// Calls `body` for each line that was not dropped, with the position of its frame and its length.
    func forEachLine(from first: Int? = nil, _ body: (_ position: Int, _ length: Int) -> Void) {
        var at = first ?? start
        while at < end {
            let frame = frame(at: at)
            if !frame.isDropped { body(at, frame.length) }
            at = frame.end
        }
    }

    func copy(_ part: Range<Int>, ofLineAt position: Int, to bytes: ByteBuffer) {
        var from = (position + RingFrame.headBytes + part.lowerBound) % capacity
        var left = part.count
        while left > 0 {
            let count = min(left, capacity - from)
            bytes.append(UnsafeBufferPointer(start: (memory + RingHead.bytes + from).assumingMemoryBound(to: UInt8.self), count: count))
            left -= count
            from = 0
        }
    }

    /// The line whose frame begins at a position; valid until the next change.
    func line(at position: Int) -> UnsafeBufferPointer<UInt8> {
        whole.removeAll()
        copy(0..<RingFrame.length(frameHead(position)), ofLineAt: position, to: whole)
        return whole.bytes
    }

    func drop(at position: Int) {
        willStore()
        (memory + RingHead.bytes + position % capacity)
            .storeBytes(of: (frameHead(position) | RingFrame.droppedMark).littleEndian, as: UInt64.self)
        written?.dropped.append(position)
        written?.isStale = true
    }

    /// Notes that every line before a position is in a segment, or was given up.
    func release(upTo position: Int) {
        guard position > start else { return }
        start = position
        publish(start, at: RingHead.Offset.start)
    }

    /// Forgets the drops, and the lines behind a position.
    func truncate(to position: Int) {
        guard position < end else { return forgetDrops() }
        reported(at: position)
        if let written { written.changed = min(written.changed, position) }
        (end, offset) = (position, position % capacity)
        publish(end, at: RingHead.Offset.end)
    }

    /// Releases all lines and begins again at the front, so that few pages of the memory are ever touched.
    func restart() {
        release(upTo: end)
        // A position has 48 bits in the head. Above 2⁴⁷ no position is skipped any more: the ring just goes round.
        if offset != 0, end < 1 << 47 { begin(at: end + capacity - offset) }
    }

    private func begin(at position: Int) {
        // The start first: a start beyond the end is an empty ring, too.
        release(upTo: position)
        (end, offset) = (position, position % capacity)
        publish(end, at: RingHead.Offset.end)
    }

    func removeAll() {
        restart()
        forgetDrops()
    }

    /// Copies the lines of another ring into this one, which was never used. Does nothing and gives `false` if there is no room.
    func takeOver(_ other: Ring) -> Bool {
        if !hasRoom(forAllOf: other) { return false }
        begin(at: other.start)
        var at = other.start
        while at < other.end {
            let frame = other.frame(at: at)
            append(UnsafeRawBufferPointer(other.line(at: at)))
            if frame.isDropped { drop(at: at) }
            at = frame.end
        }
        return true
    }

    /// Notes the number of the segment under way: a recovery gives it to no other segment, even if this one is gone by then.
    func note(number: Int64) { publish(Int(number), at: RingHead.Offset.number) }

    /// Notes that the next member holds the lines up to a position, and where it begins in the segment.
    func note(end: Int, in segment: SegmentWriter.Active) {
        let member = RingHead.Member(
            start: start, end: end, writer: UInt64(segment.name.writer, radix: 16) ?? 0, number: segment.name.number, inode: segment.inode,
            offset: segment.offset)
        store(RingHead.proved(member.words), at: RingHead.Offset.member)
    }

    /// Adds drops of events whose sessions are unknown.
    func add(_ count: Int, _ reason: DropReason) {
        guard let index = RingHead.reasons.firstIndex(of: reason) else { return }
        dropped[index] &+= UInt64(max(0, count))
        publish(Int(truncatingIfNeeded: dropped[index]), at: RingHead.Offset.dropped + 8 * index)
    }

    func add(_ reason: DropReason, session: String?) {
        guard RingHead.reasons.contains(reason) else { return }
        add(1, reason)
        addSession(session ?? "", count: 1)
    }

    func add(_ tally: DropTally) {
        for (reason, count) in tally.reasons { add(count, reason) }
        for (session, count) in tally.sessions.named { addSession(session, count: count) }
    }

    /// Counts by session what ``add(_:_:)`` has counted in total, if the head has room for the session.
    private func addSession(_ session: String, count: Int) {
        var entry = sessions[session] ?? (sessions.count, 0)
        let offset = RingHead.Offset.sessions + RingHead.SessionDrops.bytes * entry.index
        if entry.count == 0 {
            let all = reportedCounts.reduce(0, &+)
            guard entry.index < RingHead.SessionDrops.most, let words = RingHead.SessionDrops.words(session, reported: all) else { return }
            publish(0, at: offset)
            store(words, at: offset + 8)
        }
        entry.count += count
        sessions[session] = entry
        publish(entry.count, at: offset)
    }

    /// Notes that a line that ends at a position reports all drops so far. The note counts once the line is there.
    private func reported(at position: Int) {
        let reported = RingHead.Reported(position: position, counts: dropped)
        store(RingHead.proved(reported.words), at: RingHead.Offset.reported[reportedSlot])
        reportedSlot = 1 - reportedSlot
        reportedCounts = dropped
        sessions.removeAll(keepingCapacity: true)
    }

    func forgetDrops() { if dropped != reportedCounts { reported(at: end) } }

    @inline(__always)
    private func willStore() {
        #if DEBUG
        beforeStore?()
        #endif
    }

    /// Stores a number in one step, which makes valid what was stored before it.
    @inline(__always)
    private func publish(_ number: Int, at offset: Int) {
        willStore()
        written?.isStale = true
        (memory + offset).assumingMemoryBound(to: Atomic<UInt64>.self).pointee
            .store(RingHead.checked(number, key: key).littleEndian, ordering: .releasing)
    }

    private func store(_ words: [UInt64], at offset: Int) {
        written?.isStale = true
        for (index, word) in words.enumerated() {
            willStore()
            (memory + offset + 8 * index).storeBytes(of: word.littleEndian, as: UInt64.self)
        }
    }

    /// Syncs the head, and of a mapped file only the head: a caller's next store into a page that was synced would wait for the system.
    func synchronizeHead() throws(FileSystemError) {
        guard let file else { return }
        if written != nil { return try file.fileSystem.synchronize(file.descriptor) }
        try file.fileSystem.synchronize(memory, bytes: RingHead.bytes, of: file.descriptor)
    }

    /// Gives the memory and the descriptor of the file back. The file stays.
    func close() {
        guard let file else { return }
        if written == nil { file.fileSystem.unmap(memory, bytes: file.bytes) }
        file.fileSystem.close(file.descriptor)
    }
}
