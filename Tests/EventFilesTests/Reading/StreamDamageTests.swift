import Testing
import TrackingEvents

@testable import EventFiles

/// Damage in files of several ordinary gzip members: every line behind the damage is found.
@Suite struct StreamDamageTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    /// Lines of some 60 bytes. Tens of thousands of them fill several chunks, whose edges cut lines.
    private static func lines(_ name: String, _ count: Int) -> [String] {
        (0..<count).map { "{\"\(name)\":\($0),\"padding\":\"0123456789012345678901234567890123456789\"}" }
    }

    private static func text(_ lines: some Sequence<String>) -> String { lines.map { $0 + "\n" }.joined() }

    private static func spoiled(_ text: String, at place: Double = 0.5) -> [UInt8] {
        var bytes = Gzip.ordinary(text)
        let start = Int(Double(bytes.count) * place)
        for byte in start..<min(start + 16, bytes.count) { bytes[byte] ^= 0xFF }
        return bytes
    }

    @Test(arguments: [0, 1, 3], [1, 2, 3])
    func `a member of many chunks behind damage gives every line`(sound: Int, damaged: Int) throws {
        let large = Self.lines("large", 30_000)
        let before = (0..<sound).flatMap { Self.lines("before\($0)", 5) }
        var bytes: [UInt8] = []
        for number in 0..<sound { bytes += Gzip.ordinary(Self.text(Self.lines("before\(number)", 5))) }
        for number in 0..<damaged { bytes += Self.spoiled(Self.text(Self.lines("lost\(number)", 200))) }
        bytes += Gzip.ordinary(Self.text(large))
        let read = try ReadLines.of(try folder.write(bytes))
        #expect(read.lines.count == before.count + large.count)
        let isAll = read.lines == before + large
        #expect(isAll)
        #expect(read.report.damagedMembers >= 1)
    }

    @Test(arguments: [0.3, 0.6, 0.9])
    func `a damaged member of many chunks costs no line after it`(place: Double) throws {
        let large = Self.lines("large", 40_000)
        let after = Self.lines("after", 10)
        let bytes = Self.spoiled(Self.text(large), at: place) + Gzip.ordinary(Self.text(after))
        let read = try ReadLines.of(try folder.write(bytes))
        let used = read.lines.count - after.count
        #expect(used > 0 && used < large.count)
        #expect(Array(read.lines.suffix(after.count)) == after, "its first line is whole")
        // Spoiled data may decode to something for a long while before the damage shows.
        let sure = Int(place * 0.8 * Double(large.count))
        let isBeginning = read.lines.prefix(sure) == large.prefix(sure)
        #expect(isBeginning)
        #expect(read.damage.map(\.kind) == [.member])
    }

    @Test(
        arguments: [
            // A header whose extra fields, and one whose size, would go beyond the end of the file.
            [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF],
            [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0xFF, 6, 0, 0x42, 0x43, 2, 0, 0xFF, 0xFF],
        ] as [[UInt8]])
    func `bytes that only begin like a blocked member hide no ordinary member after them`(false head: [UInt8]) throws {
        let bytes = Gzip.ordinary("1\n") + Self.spoiled("lost\n") + head + [7, 7, 7] + Gzip.ordinary("2\n") + Gzip.ordinary("3\n")
        let read = try ReadLines.of(try folder.write(bytes))
        #expect(read.lines == ["1", "2", "3"])
        #expect(read.report.files[0].unusableBytes == Int64(Gzip.ordinary("lost\n").count + head.count + 3))
    }

    @Test func `a long line that ends in damage costs no line after it`() throws {
        let long = String(repeating: "x", count: 3 * EventFileReader.lineLimit)
        var noise = SeededRandom(seed: 7)
        let tail = String(decoding: (0..<100_000).map { _ in UInt8.random(in: 97...122, using: &noise) }, as: UTF8.self)
        let bytes = Self.spoiled("{}\n" + long + tail, at: 0.9) + Gzip.ordinary("{\"after\":1}\n{\"after\":2}\n")
        let read = try ReadLines.of(try folder.write(bytes))
        #expect(read.lines == ["{}", "{\"after\":1}", "{\"after\":2}"])
        #expect(Set(read.damage.map(\.kind)) == [.member, .longLine])
    }

    @Test func `where lines cross members' edges, the rest of a line after a damaged member is dropped`() throws {
        let large = Self.text(Self.lines("large", 40_000))
        // The line that begins in the first member ends in the second; the second's last one ends in the third.
        let bytes =
            Gzip.ordinary("{\"a\":1}\n{\"b\"") + Self.spoiled(":2}\n" + large + "{\"c\"", at: 0.6) + Gzip.ordinary(":3}\n{\"d\":4}\n")
        let read = try ReadLines.of(try folder.write(bytes))
        #expect(read.lines.prefix(2) == ["{\"a\":1}", "{\"b\":2}"])
        #expect(read.lines.last == "{\"d\":4}" && !read.lines.contains(":3}"))
    }

    /// A header spoiled by fuzzing (input 527,222): no longer that of a blocked member, but of an ordinary one without data.
    @Test func `a line is not joined over a member without contents, whatever kind its header claims`() throws {
        var damaged = Gzip.blocked(["{\"lost\":1}\n"], end: false)
        damaged[12] = 0x33
        damaged[18] = 0xFF
        let bytes =
            Gzip.blocked(["{\"a\":1}\n{\"t_ms\":1"], end: false) + damaged + Gzip.blocked([",\"name\":\"x\"}\n{\"c\":3}\n"])
        let read = try ReadLines.of(try folder.write(bytes))
        #expect(read.lines == ["{\"a\":1}", "{\"c\":3}"])
        #expect(read.damage.map(\.kind) == [.member])
    }
}
