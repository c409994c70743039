#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Basics
import TrackingEvents

/// Lines that the writer thread has taken: whole members, or everything there was.
struct Batch {
    let bytes: ByteBuffer
    /// Where the next member begins.
    private(set) var place: Int
    let end: Int
    /// Lines not yet written.
    private(set) var lines: Int
    /// How many of them the writer made itself.
    private(set) var notes: Int

    init(bytes: ByteBuffer, place: Int, end: Int, lines: Int, notes: Int) {
        self.bytes = bytes
        self.place = place
        self.end = end
        self.lines = lines
        self.notes = notes
    }

    var isEmpty: Bool { place == end }

    /// The raw bytes of the next member, and how many lines they are.
    func nextMember() -> (raw: UnsafeBufferPointer<UInt8>, lines: Int) {
        let memberEnd = Self.memberEnd(in: bytes, from: place, limit: end)
        let raw = UnsafeBufferPointer(rebasing: bytes.bytes[place..<memberEnd])
        return (raw, Self.lines(in: raw))
    }

    /// How many lines of the member that is next count as the writer's own: they are told with the last.
    func notesOfMember(raw: Int) -> Int { place + raw == end ? notes : 0 }

    /// Goes on behind a member that is written.
    mutating func advance(by raw: Int, lines count: Int, notes ownCount: Int) {
        place += raw
        lines -= count
        notes -= ownCount
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
