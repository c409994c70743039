import Foundation
import Testing

/// `looptrail events` as a process of its own.
@Suite struct EventsCallTests {
    private struct Answer: Decodable {
        struct Entry: Decodable {
            var name: String
            var count: Int
            var users: Int
            var firstMs: Int64
            var lastMs: Int64
        }

        var events: [Entry]
        var metaLines: Int
        var timingLines: Int
    }

    @Test func `names, counts, users and times come from blocked files and plain ones together`() throws {
        let folder = try TemporaryFolder()
        let half = Events.shop.split(separator: "\n").map(String.init)
        try folder.file("a.ndjson.gz", bytes: BlockedFile.bytes([Events.text(Array(half[..<3])), Events.text([half[3]])]))
        try folder.file("b.ndjson", Events.text(Array(half[4...])))
        try folder.file("c.jsonl", Events.text([Events.line("session_started", more: #","type":"meta""#)]))
        let result = try Child.looptrail(["events", folder.path, "--format", "json"])
        #expect(result.status == 0)
        #expect(result.errors == "")
        let answer = try Answer(snakeCase: result.output)
        #expect(answer.events.map(\.name) == ["viewed", "added", "paid"])
        #expect(answer.events.map(\.count) == [4, 2, 1])
        #expect(answer.events.map(\.users) == [4, 2, 1])
        #expect(answer.events[0].firstMs == Events.start + 1000 && answer.events[0].lastMs == Events.start + 4000)
        #expect(answer.metaLines == 1 && answer.timingLines == 0)
    }

    @Test func `the table names every event once`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["events", path])
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("event"))
        #expect(lines[1].hasPrefix("viewed") && lines[1].contains("2026-01-01 12:00:01"))
        #expect(lines.count == 5)
    }

    @Test func `standard input is read where no path is given`() throws {
        let result = try Child.looptrail(["events", "--format=json"], input: .pipe(BlockedFile.bytes([Events.shop])))
        #expect(result.status == 0)
        #expect(try Answer(snakeCase: result.output).events.map(\.count) == [4, 2, 1])
    }

    @Test func `a file cut short is a warning, and with --strict a failure after the result`() throws {
        let folder = try TemporaryFolder()
        let bytes = BlockedFile.bytes([Events.shop, Events.shop.replacing("\"id\":\"", with: "\"id\":\"x")])
        let path = try folder.file("e.ndjson.gz", bytes: Array(bytes.dropLast(60)))
        let lenient = try Child.looptrail(["events", path, "--format=json"])
        #expect(lenient.status == 0)
        #expect(try Answer(snakeCase: lenient.output).events.map(\.count) == [4, 2, 1])
        #expect(lenient.errors.contains("warning: the input has 1 damaged place"))
        let strict = try Child.looptrail(["events", path, "--format=json", "--strict"])
        #expect(strict.status == 3)
        #expect(strict.output == lenient.output)
    }

    @Test func `index --strict exits with 3 for a line that cannot be read, also if the summary stands already`() throws {
        let folder = try TemporaryFolder()
        try folder.file("e.ndjson.gz", bytes: BlockedFile.bytes([Events.shop + "no line\n"]))
        for _ in 0..<2 { #expect(try Child.looptrail(["index", folder.path, "--strict"]).status == 3) }
        let lenient = try Child.looptrail(["index", folder.path])
        #expect(lenient.status == 0 && lenient.errors.contains("warning: the input has 1 line that cannot be read"))
        #expect(lenient.errors.contains("\n  \(folder.path)/e.ndjson.gz"))
    }

    @Test(arguments: [["events"], ["funnel", "--steps", "viewed > added"], ["retention", "--start", "viewed", "--return", "added"]])
    func `a sample of the sessions is warned about once, from lines and from a summary`(words: [String]) throws {
        let folder = try TemporaryFolder()
        func warnings(_ rate: String) throws -> Int {
            let began = Events.line("session_started", props: #"{"sample_rate":\#(rate)}"#, more: #","session":"s","type":"meta""#)
            try folder.file("e.ndjson.gz", bytes: BlockedFile.bytes([Events.text([began]) + Events.shop]))
            let lines = try Child.looptrail(words + [folder.path])
            #expect(try Child.looptrail(["index", folder.path, "--quiet"]).status == 0)
            let summary = try Child.looptrail(words + [folder.path])
            #expect(lines.status == 0 && lines.output == summary.output && lines.errors == summary.errors)
            return lines.errors.components(separatedBy: "warning: these files hold a sample of the sessions (rate \(rate))").count - 1
        }
        #expect(try warnings("1.0") == 0)
        #expect(try warnings("0.1") == 1)
    }

    @Test func `a flag of another command is no flag here`() throws {
        let result = try Child.looptrail(["events", "--window", "1h"])
        #expect(result.status == 2)
        #expect(result.errors.contains("unknown flag `--window`"))
    }

    @Test func `a time range leaves the events of other times out, and says so in every format`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let range = ["--since", "2026-01-01T12:00:03", "--until", "2026-01-01T12:00:12"]
        let result = try Child.looptrail(["events", path, "--format", "json"] + range)
        let answer = try Answer(snakeCase: result.output)
        #expect(answer.events.map(\.name) == ["viewed", "added"] && answer.events.map(\.count) == [2, 1])
        #expect(result.output.contains(#""since_ms":\#(Events.start + 3000),"until_ms":\#(Events.start + 12_000)"#))
        let table = try Child.looptrail(["events", path] + range).output
        #expect(table.hasPrefix("events 2026-01-01 12:00:03 \u{2013} 2026-01-01 12:00:12\n"))
        #expect(try Child.looptrail(["events", path, "--format", "md"] + range).output.contains("2026-01-01 12:00:03"))
        let none = try Child.looptrail(["events", path, "--since", "2026-01-02", "--until", "2026-01-01"])
        #expect(none.status == 2 && none.errors.contains("no time lies between"))
    }
}
