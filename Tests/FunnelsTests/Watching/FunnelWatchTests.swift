import Basics
import EventFiles
import Foundation
import Testing
import TrackingEvents

@testable import Funnels

/// A watch reads each line once and counts from memory. It says what a new pass over everything would say.
@Suite("Funnels over files that grow")
struct FunnelWatchTests {
    private let folder: GrowingFolder
    private let run: FunnelRun
    private let minutes: @Sendable (Int64) -> Range<Int64> = { $0 - $0 % 60_000..<$0 - $0 % 60_000 + 60_000 }

    init() throws {
        folder = try GrowingFolder()
        run = FunnelRun([
            try FunnelDefinition(steps: FunnelStep.parse("a > b > c"), windowMilliseconds: 30_000, breakdown: .parse("props.g")),
            try FunnelDefinition(steps: FunnelStep.parse("b > a"), key: .session, order: .strict),
        ])
    }

    private func line(_ name: String, _ time: Int, user: String, id: Int? = nil, type: String = "track", props: String = #"{"g":"x"}"#)
        -> String
    {
        #"{"v":1,"t_ms":\#(time),"name":"\#(name)","user":"\#(user)","session":"s\#(user)""# + (id.map { #","id":"\#($0)""# } ?? "")
            + #","type":"\#(type)","props":\#(props)}"#
    }

    /// Expects what one pass over all files says now.
    private func expectSame(_ overview: FunnelRun.Overview?, _ comment: Comment) throws {
        let overview = try #require(overview, comment)
        let whole = try run.overview(reading: EventFileReader(paths: [folder.path]), threads: 1, trendStarts: .all, period: minutes)
        #expect(overview.results == whole.results, comment)
        #expect(overview.trends == whole.trends, comment)
        #expect(overview.catalogue == whole.catalogue, comment)
    }

    @Test func `after each look a watch says what a pass over everything says`() throws {
        let watch = FunnelWatch(run, paths: [folder.path])
        func poll() throws -> FunnelRun.Overview? { try watch.poll(trendStarts: .all, period: minutes) }

        let empty = try #require(try poll(), "the first look says zeros")
        #expect(
            empty.results.map(\.entered) == [0, 0] && empty.catalogue.entries.isEmpty
                && empty.trends.map { $0.points.isEmpty } == [true, true])
        #expect(try poll() == nil, "without new lines there is nothing to say")

        try folder.append(
            lines: [line("a", 1000, user: "u"), line("b", 2000, user: "u", id: 1), line("a", 1500, user: "a-1")], to: "1.ndjson")
        try expectSame(try poll(), "the first lines")
        #expect(try poll() == nil)

        // Another file, the rest of a chain, a line that comes a second time, and one that is bad.
        try folder.append(
            lines: [line("b", 70_000, user: "v", props: #"{"g":"y"}"#), line("a", 71_000, user: "v", props: #"{"g":"y"}"#)], to: "2.ndjson")
        try folder.append(lines: [line("c", 3000, user: "u"), line("b", 2000, user: "u", id: 1), "{broken"], to: "1.ndjson")
        try expectSame(try poll(), "two files")

        // A later line says that a-1 is w.
        try folder.append(
            lines: [line("b", 2500, user: "w"), line("identified", 4000, user: "w", type: "meta", props: #"{"anonymous":"a-1"}"#)],
            to: "2.ndjson")
        let last = try poll()
        try expectSame(last, "identified")
        // u: a b c; a-1, who is w: a b; v: a alone.
        #expect(last?.results[0].steps.map(\.count) == [3, 2, 1])
        #expect(last?.results[0].groups.map(\.value) == ["x", "y"])
        #expect(last?.catalogue.input.duplicates == 1 && last?.catalogue.input.badLines == 1 && last?.catalogue.input.files == 2)
    }

    @Test func `files count in their order, and a removed or replaced file counts no longer`() throws {
        let watch = FunnelWatch(run, paths: [folder.path])
        func poll() throws -> FunnelRun.Overview? { try watch.poll(trendStarts: .all, period: minutes) }
        try folder.append(lines: [line("a", 1000, user: "u", id: 7), line("b", 2000, user: "u")], to: "2.ndjson")
        try folder.append(lines: [line("a", 5000, user: "v")], to: "3.ndjson")
        try expectSame(try poll(), "two files")
        // Of two events with one id, the one in the first file counts, even if that file is found later.
        try folder.append(lines: [line("b", 900, user: "w", id: 7)], to: "1.ndjson")
        try expectSame(try poll(), "a file in front")
        try FileManager.default.removeItem(atPath: folder.path + "/3.ndjson")
        try expectSame(try poll(), "a file less")
        try folder.append(lines: [line("c", 100, user: "x")], to: "new")
        try FileManager.default.removeItem(atPath: folder.path + "/2.ndjson")
        try folder.rename("new", to: "2.ndjson")
        try expectSame(try poll(), "another file of that name")
        #expect(try poll() == nil && watch.batchCount == 2)
    }

    @Test func `a damaged segment that comes again whole counts as in a pass over everything`() throws {
        let watch = FunnelWatch(run, paths: [folder.path])
        func poll() throws -> FunnelRun.Overview? { try watch.poll(trendStarts: .all, period: minutes) }
        let output = ByteBuffer(capacity: 1024)
        for text in [line("a", 1000, user: "u"), line("b", 2000, user: "u")] {
            Array((text + "\n").utf8).withUnsafeBufferPointer { BGZFDeflater(level: 6).appendMember(of: $0, to: output) }
        }
        let whole = Array(output.bytes) + BGZF.endMember
        var spoilt = whole
        spoilt[30] ^= 0xFF
        let name = "events-00000000000000ff-0000000001.ndjson.gz"
        try folder.append(spoilt, to: name)
        try expectSame(try poll(), "the second member")
        try folder.append(whole, to: "again")
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        try folder.rename("again", to: name)
        try expectSame(try poll(), "both members")
    }

    @Test func `a file whose last member is cut counts and is named as in a pass over everything, until its rest comes`() throws {
        let watch = FunnelWatch(run, paths: [folder.path])
        let output = ByteBuffer(capacity: 1024)
        for text in [line("a", 1000, user: "u"), line("b", 2000, user: "u")] {
            Array((text + "\n").utf8).withUnsafeBufferPointer { BGZFDeflater(level: 6).appendMember(of: $0, to: output) }
        }
        let whole = Array(output.bytes) + BGZF.endMember
        for size in [whole.count - 40, whole.count - 28, whole.count] {
            try folder.append([], to: "copy.ndjson.gz")
            try folder.append(Array(whole[..<size]), to: "again")
            try FileManager.default.removeItem(atPath: folder.path + "/copy.ndjson.gz")
            try folder.rename("again", to: "copy.ndjson.gz")
            let overview = try watch.poll(trendStarts: .all, period: minutes)
            #expect((overview?.catalogue.input.damagedMembers ?? -1 > 0) == (size < whole.count))
            try expectSame(overview, "\(size) bytes")
        }
    }

    @Test func `a last line that lacks its end counts as in a pass over everything, and once`() throws {
        let watch = FunnelWatch(run, paths: [folder.path])
        let last = line("b", 2000, user: "u")
        for (more, comment) in [
            ("\u{FEFF}" + line("a", 1000, user: "u") + "\n" + String(last.prefix(20)), "a line that cannot be read"),
            (String(last.dropFirst(20)), "a line without its line feed"), ("\n", "a line"),
        ] {
            try folder.append(more, to: "1.ndjson")
            try expectSame(try watch.poll(trendStarts: .all, period: minutes), Comment(rawValue: comment))
        }
        #expect(watch.batchCount == 1)
    }

    /// `LOOPTRAIL_LOOKS` sets another number of looks: a leak of batches shows only after hundreds of looks.
    @Test func `a watch beside a writer that rotates, packs again and removes files ends as a new pass does`() async throws {
        let looks = ProcessInfo.processInfo.environment["LOOPTRAIL_LOOKS"].flatMap { Int($0) } ?? 400
        var options = EventFileWriterOptions()
        options.retainFiles = 5
        let writer = try EventFileWriter(folder: folder.path, options: options)
        let watch = FunnelWatch(run, paths: [folder.path])
        var (files, random) = (0, SeededRandom(seed: 3))
        var last: FunnelRun.Overview?
        for number in 1...looks {
            let user = number % 17
            writer.record(
                StampedEvent(
                    timeMilliseconds: 1_767_225_600_000 + Int64(number) * 1000,
                    event: TrackingEvent(["a", "b", "c"][number % 3], ["g": "x"]),
                    user: "u\(user)", session: "s\(user)", sequence: Int64(number),
                    id: EventID(milliseconds: Int64(number), random: &random)))
            try await writer.flush()
            if number % 40 == 0 { try await writer.rotate() }
            let overview = try watch.poll(trendStarts: .all, period: minutes)
            last = overview ?? last
            if number % 250 == 1 { try expectSame(overview, "look \(number)") }
            files = try FileManager.default.contentsOfDirectory(atPath: folder.path).count { $0.contains(".ndjson") }
            // The watch holds at most one batch a file, however many looks there were.
            #expect(watch.batchCount <= files)
        }
        try await writer.close()
        try expectSame(try watch.poll(trendStarts: .all, period: minutes) ?? last, "the end")
        #expect(files < 10)
    }

    @Test func `without periods there are no trends`() throws {
        try folder.append(lines: [line("a", 1000, user: "u")], to: "1.ndjson")
        let overview = try FunnelWatch(run, paths: [folder.path]).poll()
        #expect(overview?.trends.isEmpty == true && overview?.results.map(\.entered) == [1, 0])
    }

    @Test func `a path that leads nowhere is an error at the first look`() {
        #expect(throws: EventFileReadError.self) { try FunnelWatch(run, paths: [folder.path + "/none"]).poll() }
    }
}
