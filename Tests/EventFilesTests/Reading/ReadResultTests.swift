import Testing
import TrackingEvents

@testable import EventFiles

/// The numbers of a report, and what ends a reading.
@Suite struct ReadResultTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private struct Stop: Error, Equatable { var at: Int }

    @Test func `sums are those of the files`() throws {
        let blocked = Gzip.blocked(["1\n2\n", "3\n"])
        var damaged = Gzip.blocked(["1\n", "2\n", "3\n"])
        damaged[19] ^= 0xFF
        try folder.write(blocked, "a.ndjson.gz")
        try folder.write(damaged, "b.ndjson.gz")
        try folder.write("1\n2\n3", "c.ndjson")
        try folder.write(Gzip.ordinary("1\n") + [7], "d.ndjson.gz")
        try folder.write(Gzip.blocked([], end: false), "e.ndjson.gz.open")
        let report = try ReadLines.of([folder.path]).report
        #expect(report.files.map(\.lines) == [3, 2, 3, 1, 0])
        #expect(report.files.map(\.members) == [2, 2, 0, 1, 0])
        #expect(report.files.map(\.damagedMembers) == [0, 1, 0, 1, 0])
        #expect(report.files.map { $0.damage.map(\.kind) } == [[], [.member], [], [.foreignBytes], []])
        #expect(report.files.map(\.hasEndMember) == [true, true, false, false, false])
        #expect(report.files.map(\.isOpen) == [false, false, false, false, true])
        #expect(report.lines == 9)
        #expect(report.members == 5)
        #expect(report.damagedMembers == 2)
        #expect(report.bytes == report.files.reduce(0) { $0 + $1.bytes })
        #expect(report.files[1].damage[0].byteOffset == 0)
        #expect(report.files[1].damage[0].bytes == Int64(Gzip.blocked(["1\n"], end: false).count))
        #expect(report.files[3].damage[0].bytes == 1)
    }

    @Test func `all damage is counted, and the first places of much damage are kept`() throws {
        let count = FileReadResult.damageLimit + 50
        let member = Gzip.blocked(["x\n"], end: false)
        let bytes = (0..<count).flatMap { _ in member + [0] } + BGZF.endMember
        let file = try #require(try ReadLines.of(try folder.write(bytes)).report.files.first)
        #expect(file.lines == count)
        #expect(file.damagedMembers == count)
        #expect(file.damage.count == FileReadResult.damageLimit)
        #expect(file.count(of: .foreignBytes) == count && file.count(of: .member) == 0)
        #expect(file.unusableBytes == Int64(count))
        #expect(file.damage.map(\.byteOffset) == (1...FileReadResult.damageLimit).map { Int64($0 * (member.count + 1) - 1) })
    }

    @Test func `after more damage than is kept, the end of the file is judged as usual`() throws {
        let member = Gzip.blocked(["x\n"], end: false)
        let much: [UInt8] = (0..<FileReadResult.damageLimit).flatMap { _ in [0] + member }
        let whole = try #require(try ReadLines.of(try folder.write(much + member)).report.files.first)
        #expect(whole.count(of: .missingEnd) == 1 && whole.count(of: .cut) == 0)
        let cut = try #require(try ReadLines.of(try folder.write(much + member.dropLast(3))).report.files.first)
        #expect(cut.count(of: .missingEnd) == 0, "the cut stands for the missing end, too")
        #expect(cut.count(of: .cut) == 1 && cut.unusableBytes == Int64(FileReadResult.damageLimit + member.count - 3))
    }

    @Test func `long lines are told apart from damage, however many there are of both`() throws {
        let long = String(repeating: "x", count: EventFileReader.lineLimit + 1) + "\n"
        let bytes = Gzip.ordinary(long) + Gzip.ordinary("1\n" + long + "2\n") + [0, 0, 0]
        let file = try #require(try ReadLines.of(try folder.write(bytes)).report.files.first)
        #expect(file.lines == 2 && file.longLines == 2 && file.damagedMembers == 1)
        #expect(file.count(of: .longLine) == 2 && file.count(of: .foreignBytes) == 1 && file.unusableBytes == 3)
    }

    @Test func `a file whose last line is too long and whose end is cut has no second fault at its end`() throws {
        let long = String(repeating: "x", count: EventFileReader.lineLimit + 1) + "\n"
        let bytes = Gzip.bgzip(long, size: 60_000, end: false) + Gzip.blocked(["{}\n"], end: false).dropLast(5)
        let file = try #require(try ReadLines.of(try folder.write(bytes)).report.files.first)
        #expect(Set(file.damage.map(\.kind)) == [.cut, .longLine])
    }

    @Test(arguments: [1, 2, 4, 8])
    func `an error that consume throws is thrown on, and nothing is consumed after it`(threads: Int) throws {
        let text = (0..<40_000).map { "{\"line\":\($0),\"padding\":\"0123456789012345678901234567890\"}\n" }.joined()
        for name in ["a.ndjson", "b.ndjson", "c.ndjson"] { try folder.write(text, name) }
        for stopAt in [0, 1, 4] {
            var calls = 0
            let reader = try EventFileReader(paths: [folder.path])
            #expect(throws: Stop(at: stopAt)) {
                try reader.read(
                    threads: threads, map: { $0.lineCount },
                    consume: { _ in
                        if calls == stopAt { throw Stop(at: calls) }
                        calls += 1
                    })
            }
            #expect(calls == stopAt)
            // The same reader reads again from the beginning.
            #expect(try reader.read(threads: threads, map: { $0.lineCount }, consume: { _ in }).lines == 120_000)
        }
    }

    @Test(arguments: [Int.min, -1, 0, 1, 300])
    func `any number of threads is brought into range`(threads: Int) throws {
        let path = try folder.write(Gzip.blocked(["1\n", "2\n"]))
        #expect(try EventFileReader(paths: [path]).read(threads: threads, map: { $0.lineCount }, consume: { _ in }).lines == 2)
    }
}
