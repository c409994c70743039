import Foundation
import Testing

/// `looptrail timings` as a process of its own.
@Suite struct TimingsCallTests {
    private struct Answer: Decodable {
        struct Timing: Decodable {
            var system: String?
            var event: String
            var phase: String
            var count: Int
            var p50Ns: Int
            var maxNs: Int
            var totalNs: Int
        }

        struct Input: Decodable { var events: Int }

        var timings: [Timing]
        var lines: Int
        var leftOut: Int
        var unreadableLines: Int
        var input: Input
    }

    /// A timing line with one value of `time` nanoseconds. Values below 64 have a bucket each, so they are exact.
    private func line(_ event: String, _ phase: String, _ time: Int, at seconds: Int64 = 0, id: String, system: String = "shop") -> String {
        Events.line(
            "step_timing", seconds, user: nil, id: id,
            props: #"{"event":"\#(event)","phase":"\#(phase)","count":1,"sum_ns":\#(time),"min_ns":\#(time),"max_ns":\#(time),"#
                + #""le_ns":[\#(time)],"n":[1]}"#, more: #","type":"timing","system":"\#(system)""#)
    }

    @Test func `histograms of blocked files and plain ones are added up, and events beside them are not in the way`() throws {
        let folder = try TemporaryFolder()
        let first = [line("open", "reduce", 10, id: "1"), line("open", "total", 20, id: "2"), line("close", "total", 5, id: "3")]
        try folder.file("a.ndjson.gz", bytes: BlockedFile.bytes([Events.shop, Events.text(first)]))
        try folder.file("b.ndjson", Events.text([line("open", "reduce", 30, at: 60, id: "4"), first[0]]))
        let result = try Child.looptrail(["timings", folder.path, "--format", "json"])
        #expect(result.status == 0 && result.errors == "")
        let found = try Answer(snakeCase: result.output)
        #expect(found.timings.map { "\($0.event) \($0.phase)" } == ["open reduce", "open total", "close total"])
        #expect(found.timings.map(\.count) == [2, 1, 1] && found.timings.map(\.totalNs) == [40, 20, 5])
        #expect(found.timings[0].p50Ns == 10 && found.timings[0].maxNs == 30 && found.timings[0].system == "shop")
        #expect(found.lines == 4 && found.input.events == 7)
        let table = try Child.looptrail(["timings", folder.path]).output
        #expect(table.hasPrefix("event  phase   count    p50    p90    p99  longest   mean    sum\nopen   reduce"))
        for format in ["csv", "md", "html"] {
            let text = try Child.looptrail(["timings", folder.path, "--format", format]).output
            #expect(text.contains("open") && text.contains("close"), "\(format)")
        }
    }

    @Test func `no funnel and no list of events sees a timing line`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop + Events.text([line("viewed", "total", 20, at: 5, id: "t")]))
        let events = try Child.looptrail(["events", path, "--format", "csv"]).output
        #expect(!events.contains("step_timing"))
        let strict = try Child.looptrail(["funnel", path, "--steps", "* > added", "--order", "strict", "--format", "json"])
        let without = try Child.looptrail(
            ["funnel", "--steps", "* > added", "--order", "strict", "--format", "json"], input: .pipe(Array(Events.shop.utf8)))
        func steps(_ json: String) -> Substring? { json.range(of: "\"input\"").map { json[..<$0.lowerBound] } }
        #expect(steps(strict.output) != nil && steps(strict.output) == steps(without.output))
        #expect(try Child.looptrail(["check", path]).status == 0)
    }

    @Test func `flags choose one loop, the slowest events or a time`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "e.ndjson",
            Events.text([
                line("a", "total", 1, id: "1"), line("b", "total", 9, at: 10, id: "2"),
                line("c", "total", 5, at: 20, id: "3", system: "other"),
            ]))
        func events(_ flags: [String]) throws -> [String] {
            try Answer(snakeCase: try Child.looptrail(["timings", path, "--format", "json"] + flags).output).timings.map(\.event)
        }
        #expect(try events([]) == ["b", "c", "a"])
        #expect(try events(["--system", "shop"]) == ["b", "a"])
        #expect(try events(["--top", "1"]) == ["b"])
        #expect(try events(["--since", "2026-01-01T12:00:05", "--until", "2026-01-01T12:00:15"]) == ["b"])
        let slowest = try Child.looptrail(["timings", path, "--top", "1"]).output
        #expect(slowest.contains("left out: 2 more events") && slowest.hasPrefix("system") && !slowest.contains("timing lines of"))
        #expect(try Child.looptrail(["timings", path, "--top", "0"]).status == 2)
        #expect(try Child.looptrail(["timings", path, "--system", ""]).status == 2)
    }

    @Test func `a file without timings is a warning, and so is a line that cannot be understood`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let none = try Child.looptrail(["timings", path])
        #expect(none.status == 0 && none.output.hasPrefix("no timings\n") && none.errors.contains("there are no timing lines"))
        #expect(try Child.looptrail(["timings", path, "--quiet"]).errors == "")
        let odd = try folder.file("o.ndjson", Events.text([Events.line("step_timing", id: "1", more: #","type":"timing""#)]))
        let result = try Child.looptrail(["timings", odd, "--format", "json"])
        #expect(result.status == 0 && result.errors.contains("1 timing line could not be understood"))
        #expect(try Answer(snakeCase: result.output).unreadableLines == 1)
        let strict = try Child.looptrail(["timings", odd, "--strict"])
        #expect(strict.status == 3 && strict.errors.contains("1 timing line could not be understood"))
        #expect(try Child.looptrail(["timings", path, "--strict"]).status == 0)
    }

    @Test(arguments: [["--since", "2030-01-01"], ["--system", "nobody"]])
    func `a filter that leaves nothing is named, not the program that wrote the lines`(flags: [String]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.text([line("a", "total", 1, id: "1")]))
        let result = try Child.looptrail(["timings", path] + flags)
        #expect(result.status == 0 && result.errors.contains("is asked for"))
        #expect(!result.errors.contains("there are no timing lines"))
    }

    @Test func `a sum of counts beyond the largest number stays at that number`() throws {
        let folder = try TemporaryFolder()
        let lines = ["1", "2"].map { id in
            Events.line(
                "step_timing", user: nil, id: id,
                props: #"{"event":"a","phase":"total","count":"9223372036854775808","sum_ns":7,"min_ns":7,"max_ns":7,"le_ns":[7],"#
                    + #""n":["9223372036854775808"]}"#, more: #","type":"timing""#)
        }
        let result = try Child.looptrail(["timings", try folder.file("e.ndjson", Events.text(lines)), "--format", "json"])
        let timing = try #require(try Answer(snakeCase: result.output).timings.first)
        #expect(timing.count == .max && timing.p50Ns == 7)
    }

    @Test func `names act on no terminal`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.text([line(#"\u001b[2J"#, #"\u202e"#, 3, id: "1", system: #"\u0007"#)]))
        let output = try Child.looptrail(["timings", path]).output
        #expect(!output.contains("\u{1B}") && !output.contains("\u{202E}") && !output.contains("\u{7}"))
    }
}
