import Basics
import TrackingEvents

/// What a ring file holds, read from its bytes. Any bytes may be given: what is no sound ring throws a ``Fault``.
struct RingContents {
    enum Fault: Error, Equatable {
        /// Nothing was ever stored here: the process ended while it made the file, or the power failed before anything was synced.
        case unused
        /// No ring of this version.
        case notARing
        /// A copy of another file: its lines belong to the other one.
        case copied
        /// The file's size, the first position or a frame is wrong, at an offset in the file.
        case torn(offset: Int)
    }

    let head: RingHead
    /// The waiting lines, in order. Those of ``memberUnderWay`` may be in a segment. ``bytes(of:)`` gives the text of one.
    private(set) var lines: [Line] = []
    private let text = ByteBuffer(capacity: 16)

    struct Line {
        /// The position behind the line's frame (``RingHead``).
        let end: Int
        let range: Range<Int>
    }

    /// Reads the bytes of a whole file. Throws ``Fault/copied`` if the head names another inode. With `nil`, a copy is read, too.
    init(_ bytes: UnsafeRawBufferPointer, inode: UInt64?) throws(Fault) {
        guard let head = RingHead(bytes) else { throw bytes.allSatisfy({ $0 == 0 }) ? .unused : .notARing }
        if let inode, head.inode != inode { throw .copied }
        guard bytes.count == RingHead.bytes + head.capacity else { throw .torn(offset: bytes.count) }
        self.head = head
        if head.start >= head.end { return }
        guard head.end - head.start <= head.capacity, head.start % 8 == 0 else { throw .torn(offset: RingHead.Offset.start) }
        var at = head.start
        while at < head.end {
            let rest = at % head.capacity
            let offset = RingHead.bytes + rest
            let frame = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let length = RingFrame.length(frame)
            let size = RingFrame.bytes(of: length)
            guard length > 0, size <= head.end - at else { throw .torn(offset: offset) }
            let start = text.count
            let first = min(length, head.capacity - rest - RingFrame.headBytes)
            let body = offset + RingFrame.headBytes
            text.append(UnsafeRawBufferPointer(rebasing: bytes[body..<body + first]))
            text.append(UnsafeRawBufferPointer(rebasing: bytes[RingHead.bytes..<RingHead.bytes + length - first]))
            let line = UnsafeRawBufferPointer(rebasing: text.raw[start...])
            guard RingFrame.check(of: line, at: at, key: head.key) == RingFrame.check(frame) else { throw .torn(offset: offset) }
            at += size
            if RingFrame.isDropped(frame) { text.truncate(to: start) } else { lines.append(Line(end: at, range: start..<text.count)) }
        }
    }

    /// All bytes of a ring file; `nil` if it is larger than any ring.
    static func bytes(of file: FileDescriptor, _ status: FileStatus, on fileSystem: any FileSystem) throws(FileSystemError) -> ByteBuffer? {
        if status.bytes > Ring.maxBytes { return nil }
        let bytes = ByteBuffer(capacity: Int(status.bytes))
        try fileSystem.append(atMost: status.bytes, of: file, at: 0, to: bytes)
        return bytes
    }

    func bytes(of line: Line) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: text.bytes[line.range]) }

    var unreportedDrops: DropTally {
        var tally = DropTally()
        for (reason, count) in zip(RingHead.reasons, head.unreported) where count > 0 {
            tally.add(reason, session: nil, count: Int(clamping: count))
        }
        var left = tally.count
        for drops in head.sessions {
            let count = min(drops.count, left)
            if !drops.session.isEmpty { tally.sessions.add(drops.session, count) }
            left -= count
        }
        if left > 0 { tally.sessions.add(SessionTally.others, left) }
        return tally
    }

    /// The member that was under way when the process ended: what it holds is in the segment if the member is whole there.
    var memberUnderWay: RingHead.Member? {
        guard let member = head.member, member.start == head.start, member.end > member.start, member.end <= head.end else { return nil }
        return member
    }
}
