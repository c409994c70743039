import Basics
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// What writers of lines share with those of events, and how they differ.
@Suite struct LogSegmentsTests {
    @Test(arguments: SegmentContents.allCases, [SegmentName.State.sealed, .open, .temporary])
    func `names tell what a segment holds`(contents: SegmentContents, state: SegmentName.State) throws {
        let name = SegmentName(stem: "app", writer: 0xAB, number: 7, contents: contents)
        let text = state == .sealed ? name.sealed : state == .open ? name.open : name.temporary
        let parsed = try #require(SegmentName.parse(text))
        #expect(parsed.name == name && parsed.state == state)
        #expect(text.contains(contents == .log ? "app-00000000000000ab-0000000007.log.gz" : "app-00000000000000ab-0000000007.ndjson.gz"))
    }

    @Test func `other endings are outside the grammar`() {
        for ending in [".txt.gz", ".log", ".log.gz.gz", ".gz"] { #expect(SegmentName.parse("app-000000ab-0000000007\(ending)") == nil) }
    }

    private func write(_ lines: [String], _ options: EventFileWriterOptions, to folder: WriterTestFolder) async throws
        -> EventFileWriterStatistics
    {
        let writer = try EventFileWriter(folder: folder.path, options: options)
        for line in lines { writer.record(line: line) }
        try await writer.close()
        return writer.statistics
    }

    private var options: EventFileWriterOptions {
        var options = EventFileWriterOptions()
        options.contents = .log
        return options
    }

    @Test func `lines go through the ring as events do`() async throws {
        let folder = try WriterTestFolder()
        let lines = (0..<3_000).map { "line \($0)" }
        let statistics = try await write(lines, options, to: folder)
        #expect(try folder.lines() == lines)
        #expect(statistics.recorded == 3_000 && statistics.written == 3_000 && statistics.dropped == 0)
    }

    @Test(arguments: [OverflowPolicy.dropNewest, .dropOldest, .block(upTo: .seconds(60))])
    func `a full ring follows its policy`(policy: OverflowPolicy) async throws {
        let folder = try WriterTestFolder()
        let faulty = FaultyFileSystem()
        var options = options
        options.overflow = policy
        options.ringEvents = 20
        if policy == .dropNewest || policy == .dropOldest {
            faulty.setRule { $0.kind == .write ? .fail(28) : nil }
            options.firstRetry = .seconds(3_600)
        }
        let writer = try EventFileWriter(folder: folder.path, options: options, fileSystem: faulty.fileSystem)
        for number in 0..<200 { writer.record(line: "\(number)") }
        faulty.setRule { _ in nil }
        try await writer.close()
        let lines = try folder.lines().filter { !$0.hasPrefix("{") }
        let statistics = writer.statistics
        #expect(statistics.recorded == 200 && statistics.written == lines.count && statistics.dropped == 200 - lines.count)
        switch policy {
        case .dropNewest: #expect(lines.first == "0" && lines.count < 200)
        case .dropOldest: #expect(lines.last == "199" && lines.count < 200)
        case .block: #expect(lines.count == 200)
        }
    }

    @Test func `a file that is removed while its folder is read takes only its own lines with it`() throws {
        let folder = try WriterTestFolder()
        let names = (1...3 as ClosedRange<Int64>).map { SegmentName(stem: "app", writer: 1, number: $0, contents: .log).sealed }
        for name in names { try folder.put(Gzip.blocked([name + "\n"]), name) }
        let paths = names.map { folder.path + "/" + $0 }
        let files = FaultyFileSystem { call in
            if call.kind == .open, call.name == paths[0] { unlink(paths[1]) }
            return nil
        }
        var lines: [String] = []
        let losses = try LogFiles.forEachLine(of: [folder.path], stem: "app", on: files.fileSystem, beginWriter: {}) {
            lines.append(String(decoding: $0, as: UTF8.self))
        }
        #expect(lines == [names[0], names[2]] && losses.isEmpty)
    }

    @Test func `named files are read writer by writer, each with the ring beside it`() async throws {
        let folder = try WriterTestFolder()
        var options = smallRing
        options.contents = .log
        let writer = try EventFileWriter(folder, options: options, clock: WriterTestClock(), fileSystem: quickFiles().fileSystem)
        _ = try await writer.recovered()
        for line in ["a", "b"] { writer.record(line: line) }
        let ring = try #require(folder.rings.first)
        let other = SegmentName(stem: "events", writer: 0, number: 7, contents: .log)
        for number in [Int64(8), 9] {
            let name = SegmentName(stem: "events", writer: 0, number: number, contents: .log)
            try folder.put(Gzip.blocked(["\(number)\n"]), name.sealed)
        }
        let own = try #require(SegmentName.parse(ring)?.name)
        try folder.put(Gzip.blocked(["first\n"]), own.sealed)
        try folder.put(folder.bytes(ring), "kept.ring")
        try await writer.close()
        try folder.put(folder.bytes("kept.ring"), ring)
        var (lines, writers) = ([String](), 0)
        let names = [9, 0, 8].map { $0 == 0 ? own.sealed : SegmentName(stem: other.stem, writer: 0, number: $0, contents: .log).sealed }
        _ = try LogFiles.forEachLine(of: (names + [own.sealed]).map { folder.path + "/" + $0 }, stem: "x", beginWriter: { writers += 1 }) {
            lines.append(String(decoding: $0, as: UTF8.self))
        }
        #expect(lines == ["8", "9", "first", "first", "a", "b"])
        #expect(writers == 2)
    }

    @Test func `a pipe and a folder with a log file's name are passed over`() throws {
        let folder = try WriterTestFolder()
        let names = (1...3 as ClosedRange<Int64>).map { SegmentName(stem: "app", writer: 1, number: $0, contents: .log).sealed }
        try folder.put(Gzip.blocked(["a\n"]), names[0])
        #expect(mkfifo(folder.path + "/" + names[1], 0o600) == 0 && mkdir(folder.path + "/" + names[2], 0o700) == 0)
        var lines: [String] = []
        let losses = try LogFiles.forEachLine(of: [folder.path], stem: "app", beginWriter: {}) {
            lines.append(String(decoding: $0, as: UTF8.self))
        }
        #expect(lines == ["a"] && losses.isEmpty)
    }

    @Test func `lines after closing are counted as dropped`() async throws {
        let folder = try WriterTestFolder()
        let writer = try EventFileWriter(folder: folder.path, options: options)
        try await writer.close()
        writer.record(line: "late")
        #expect(writer.statistics.droppedByReason == [.closed: 1])
    }

    /// How many members an orphan's one long line fills, and whether a whole line stands before it.
    @Test(arguments: [1, 2, 3], [false, true])
    func `the part of a long line that a killed writer left becomes a line of its own`(members: Int, hasLineBefore: Bool)
        async throws
    {
        let folder = try WriterTestFolder()
        let name = SegmentName(stem: "events", writer: 0xABCD_EF01, number: 1, contents: .log)
        let part = String(repeating: "x", count: 60_000)
        let output = ByteBuffer(capacity: BGZF.memberLimit)
        for text in (hasLineBefore ? ["before\n"] : []) + Array(repeating: part, count: members) {
            var text = text
            text.withUTF8 { BGZFDeflater(level: 1).appendMember(of: $0, to: output) }
        }
        try folder.put(Array(output.bytes), name.open)
        let writer = try EventFileWriter(folder: folder.path, options: options)
        let report = try await writer.recovered()
        writer.record(line: "after")
        try await writer.close()
        #expect(report.orphans.map(\.outcome) == [.adopted])
        #expect(report.orphans.first?.lines == (hasLineBefore ? 2 : 1))
        let long = String(repeating: part, count: members)
        let ordered = folder.sealed.sorted { $0.suffix(17) < $1.suffix(17) }
        let text = try ordered.map { try folder.decode($0).members.joined() }.joined()
        #expect(text == (hasLineBefore ? "before\n" : "") + long + "\nafter\n")
    }

    @Test func `logs are numbered apart from events`() async throws {
        let folder = try WriterTestFolder()
        try folder.put([], "events-12345678-9999999999.ndjson.gz")
        try folder.put([], "other-12345678-0000000004.log.gz")
        _ = try await write(["line"], options, to: folder)
        #expect(folder.names.contains { $0.hasPrefix("events-") && $0.hasSuffix("-0000000005.log.gz") })
    }

    @Test func `a reader of events takes a log only if it is asked for by name`() async throws {
        let folder = try WriterTestFolder()
        _ = try await write(["no event"], options, to: folder)
        #expect(folder.names.count == 1)
        var lines = 0
        _ = try EventFileReader(paths: [folder.path]).forEachLine { _ in lines += 1 }
        #expect(lines == 0)
        _ = try EventFileReader(paths: [folder.path + "/*.log.gz"]).forEachLine { _ in lines += 1 }
        #expect(lines == 1)
    }
}
