import Basics
import TrackingEvents

/// What stands in the first page of a ring file, and where. All numbers are little-endian, eight bytes each.
///
/// | offset | what |
/// |---|---|
/// | 0 | magic, version, what the lines are |
/// | 24 | bytes for frames, behind the page |
/// | 32 | ``FileSystem/bootID``, the file's inode, the ring's key |
/// | 56 | check value of all before |
/// | 64 | where the last frame ends |
/// | 128 | where the first frame begins that is in no segment yet |
/// | 136 | the highest number that the writer gave to a segment |
/// | 192 | the member under way (``Member``), with a check value |
/// | 256 | totals of dropped events, by reason |
/// | 320, 384 | how many of them `dropped` lines report (``Reported``), twice, each with a check value |
/// | 448 | the segment into which a recovery puts the lines, with a check value |
/// | 512 | drops by session that no `dropped` line reports, as far as there is room (``SessionDrops``) |
///
/// A position counts all bytes that the ring ever used or skipped before it. Modulo the bytes for frames, it is an offset behind the page.
/// A process may be killed between any two stores: one store publishes a position or a total, with a check value in the highest 16 bits
/// (``checked(_:key:)``); what takes several stores has a check value behind it.
struct RingHead: Equatable {
    static let bytes = 4096
    static let magic: UInt64 = 0x474E_4952_5041_525F  // "_RAPRING"
    static let version: UInt64 = 1

    enum Offset {
        static let identity = 0
        static let end = 64
        static let start = 128
        static let number = 136
        static let member = 192
        static let dropped = 256
        static let reported = [320, 384]
        static let recovered = 448
        static let sessions = 512
    }

    /// The reasons that are counted. Their totals stand in this order. Drops for other reasons reach a file in another way, or not at all.
    static let reasons: [DropReason] = [.overflow, .storage, .tooLarge]

    /// The member that is about to be written, or was written last: which frames it holds, and where.
    struct Member: Equatable {
        var start: Int
        var end: Int
        /// The writer and the number in the segment's name.
        var writer: UInt64
        var number: Int64
        var inode: UInt64
        var offset: Int64

        var words: [UInt64] { [UInt64(start), UInt64(end), writer, UInt64(bitPattern: number), inode, UInt64(bitPattern: offset)] }
    }

    struct Segment: Equatable {
        var writer: UInt64
        var number: Int64
    }

    /// How many drops are reported by `dropped` lines that end at or before a position.
    struct Reported: Equatable {
        var position: Int
        var counts: [UInt64]

        var words: [UInt64] { [UInt64(position)] + counts }
    }

    /// Drops of one session since the last `dropped` line: the count, then words that do not change, with a check value.
    struct SessionDrops: Equatable {
        static let bytes = 64
        /// Bytes of the longest session id that has an entry.
        private static let textBytes = 40
        static let most = (RingHead.bytes - Offset.sessions) / bytes

        var session: String
        var count: Int

        /// The words behind the count; `nil` if the session is too long. The entry counts until lines report more drops than `reported`.
        static func words(_ session: String, reported: UInt64) -> [UInt64]? {
            guard session.utf8.count <= textBytes else { return nil }
            var words = [reported] + [UInt64](repeating: 0, count: textBytes / 8)
            for (index, byte) in session.utf8.enumerated() { words[1 + index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
            return RingHead.proved(words)
        }

        static func session(_ words: some Sequence<UInt64>) -> String {
            let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) } }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    var contents: SegmentContents
    var capacity: Int
    var bootID: UInt64
    var inode: UInt64
    var key: UInt64
    var start = 0
    var end = 0
    var highestNumber: Int64 = 0
    var member: Member?
    var dropped = [UInt64](repeating: 0, count: RingHead.reasons.count)
    var reported: [Reported] = []
    /// Drops by session that no line reports. An empty session stands for events without one.
    var sessions: [SessionDrops] = []
    /// The segment into which a recovery puts the lines. They are in it once it has its published name.
    var recoveredInto: Segment?

    var identityWords: [UInt64] {
        let kind: UInt64 = contents == .events ? 0 : 1
        return [Self.magic, Self.version, kind, UInt64(capacity), bootID, inode, key]
    }

    var unreported: [UInt64] {
        // The totals never fall: of the reports that count, the last has the largest numbers.
        var left = dropped
        for line in reported where line.position <= end {
            for (index, count) in line.counts.enumerated() { left[index] = min(left[index], dropped[index] - min(dropped[index], count)) }
        }
        return left
    }
}

extension RingHead {
    /// Reads a head; `nil` if the bytes are no head of this version.
    init?(_ page: UnsafeRawBufferPointer) {
        guard page.count >= Self.bytes else { return nil }
        func words(_ offset: Int, _ count: Int) -> [UInt64] {
            (0..<count).map { UInt64(littleEndian: page.loadUnaligned(fromByteOffset: offset + 8 * $0, as: UInt64.self)) }
        }
        func proved(_ offset: Int, _ count: Int) -> [UInt64]? {
            let all = words(offset, count + 1)
            return all[count] == Self.check(all.dropLast()) ? Array(all.dropLast()) : nil
        }
        guard let identity = proved(Offset.identity, 7), identity[0] == Self.magic, identity[1] == Self.version, identity[2] <= 1,
            let capacity = Int(exactly: identity[3]), 1...(Int.max - Self.bytes) ~= capacity, capacity % 8 == 0
        else { return nil }
        func number(_ offset: Int) -> UInt64? { Self.number(words(offset, 1)[0], key: identity[6]) }
        guard let start = number(Offset.start), let end = number(Offset.end), let highestNumber = number(Offset.number) else { return nil }
        self.init(
            contents: identity[2] == 0 ? .events : .log, capacity: capacity, bootID: identity[4], inode: identity[5], key: identity[6])
        (self.start, self.end, self.highestNumber) = (Int(start), Int(end), Int64(highestNumber))
        if let all = proved(Offset.member, 6), let start = Int(exactly: all[0]), let end = Int(exactly: all[1]),
            let number = Int64(exactly: all[3]), let offset = Int64(exactly: all[5])
        {
            member = Member(start: start, end: end, writer: all[2], number: number, inode: all[4], offset: offset)
        }
        for index in Self.reasons.indices {
            guard let count = number(Offset.dropped + 8 * index) else { return nil }
            dropped[index] = count
        }
        for offset in Offset.reported {
            guard let all = proved(offset, 1 + Self.reasons.count), let position = Int(exactly: all[0]) else { continue }
            reported.append(Reported(position: position, counts: Array(all.dropFirst())))
        }
        let alreadyReported = zip(dropped, unreported).reduce(0) { $0 + $1.0 - $1.1 }
        for index in 0..<SessionDrops.most {
            let offset = Offset.sessions + SessionDrops.bytes * index
            guard let count = number(offset), count > 0, let words = proved(offset + 8, 6), words[0] == alreadyReported else { continue }
            sessions.append(SessionDrops(session: SessionDrops.session(words.dropFirst()), count: Int(clamping: count)))
        }
        recoveredInto = proved(Offset.recovered, 2).map { ($0[0], Int64(clamping: $0[1])) }.map(Segment.init)
    }

    /// A number below 2⁴⁸ with its check value above it.
    @inline(__always)
    static func checked(_ number: Int, key: UInt64) -> UInt64 {
        let number = UInt64(truncatingIfNeeded: number)
        return number | ((number ^ key) &* 0x9E37_79B9_7F4A_7C15) & 0xFFFF_0000_0000_0000
    }

    /// The number in a word of ``checked(_:key:)``; `nil` if the check value is wrong.
    private static func number(_ word: UInt64, key: UInt64) -> UInt64? {
        let number = word & 0xFFFF_FFFF_FFFF
        return checked(Int(truncatingIfNeeded: number), key: key) == word ? number : nil
    }

    /// The check value that stands behind some of the head's numbers. All-zero words never check out.
    static func check(_ words: some Sequence<UInt64>) -> UInt64 {
        words.reduce(0x6A09_E667_F3BC_C909) { ($0 ^ $1).folded(by: 0xBB67_AE85_84CA_A73B) &+ 0x9E37_79B9_7F4A_7C15 }
    }

    /// Numbers with their check value, as they stand in the page.
    static func proved(_ words: [UInt64]) -> [UInt64] { words + [check(words)] }
}
