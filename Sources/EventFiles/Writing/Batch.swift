import Basics
import TrackingEvents

/// Lines that the thread has taken from one lane of the ring: whole members, or everything there was.
struct Batch {
    /// What the next member of a file will hold.
    struct Member {
        let raw: UnsafeBufferPointer<UInt8>
        let lines: Int
        /// How many of the lines the writer made itself.
        let notes: Int
    }

    let bytes: ByteBuffer
    /// Where the next member begins.
    private(set) var place: Int
    let end: Int
    /// Lines not yet written.
    private(set) var lines: Int
    /// How many of them the writer made itself.
    private(set) var notes: Int
    /// How many lines of the lane came before the next one.
    var linesBefore = 0
    /// The sampled sessions when the batch was taken.
    var sampled = SampledSessions()
    /// Whether the batch may hold lines that were recorded after what is to be promoted.
    var followsPromotion = false

    init(bytes: ByteBuffer, place: Int, end: Int, lines: Int, notes: Int) {
        self.bytes = bytes
        self.place = place
        self.end = end
        self.lines = lines
        self.notes = notes
    }

    var isEmpty: Bool { place == end }

    /// The next member. All notes of a batch are attributed to its last one.
    func nextMember() -> Member {
        let memberEnd = Self.memberEnd(in: bytes, from: place, limit: end)
        let raw = UnsafeBufferPointer(rebasing: bytes.bytes[place..<memberEnd])
        return Member(raw: raw, lines: Self.lines(in: raw), notes: memberEnd == end ? notes : 0)
    }

    /// Passes a member that is written.
    mutating func advance(by member: Member) {
        place += member.raw.count
        lines -= member.lines
        notes -= member.notes
        linesBefore += member.lines
    }

    /// Where a member that begins at `place` ends: behind the last line that fits.
    ///
    /// A line that fits into no member, which only other tools write, is cut.
    static func memberEnd(in bytes: ByteBuffer, from place: Int, limit: Int) -> Int {
        if limit - place <= BGZF.rawLimit { return limit }
        var end = place + BGZF.rawLimit
        while end > place, bytes.base[end - 1] != UInt8(ascii: "\n") { end -= 1 }
        return end > place ? end : place + BGZF.rawLimit
    }

    static func lineEnd(in bytes: ByteBuffer, from place: Int, limit: Int) -> Int {
        guard let feed = memchr(bytes.base + place, Int32(UInt8(ascii: "\n")), limit - place) else { return limit }
        return feed - UnsafeMutableRawPointer(bytes.base) + 1
    }

    static func lines(in raw: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in raw where byte == UInt8(ascii: "\n") { count &+= 1 }
        return count
    }
}
