import Testing
import TrackingEvents

@testable import EventFiles

/// The numbers of a report, and what ends a reading.
@Suite struct ReadReportTests {
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

    @Test func `of much damage all is counted and the first places are kept`() throws {
        let count = FileReport.damageLimit + 50
        let member = Gzip.blocked(["x\n"], end: false)
        let bytes = (0..<count).flatMap { _ in member + [0] } + BGZF.endMember
        let file = try #require(try ReadLines.of(try folder.write(bytes)).report.files.first)
        #expect(file.lines == count)
        #expect(file.damagedMembers == count)
        #expect(file.damage.count == FileReport.damageLimit)
        #expect(file.damage.map(\.byteOffset) == (1...FileReport.damageLimit).map { Int64($0 * (member.count + 1) - 1) })
    }

    @Test(arguments: [1, 2, 4, 8])
    func `what consume throws comes out as it is, and nothing is consumed after it`(threads: Int) throws {
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
