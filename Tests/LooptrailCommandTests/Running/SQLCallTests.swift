import Foundation
import Testing

@Suite struct SQLCallTests {
    @Test(arguments: ["clickhouse", "duckdb", "spark"])
    func `a statement is printed, and nothing else`(_ dialect: String) throws {
        let result = try Child.looptrail(["sql", "--dialect", dialect, "--from", "events/*.ndjson.gz", "--steps", "a > b"])
        #expect(result.status == 0 && result.errors == "")
        #expect(result.output.hasPrefix("-- steps a > b\n") && result.output.contains("'events/*.ndjson.gz'") == (dialect != "spark"))
    }

    @Test func `-o takes the statement`() throws {
        let folder = try TemporaryFolder()
        let printed = try Child.looptrail(["sql", "--dialect", "duckdb", "--steps", "a > b"])
        let result = try Child.looptrail(["sql", "--dialect", "duckdb", "--steps", "a > b", "-o", folder.path("funnel.sql")])
        #expect(result.status == 0 && result.output == "")
        #expect(folder.text("funnel.sql") == printed.output)
    }

    @Test(arguments: [
        (["--steps", "a > b?"], "SQL cannot count optional steps exactly"),
        (["--steps", "a > b", "--order", "any"], "SQL cannot count --order any exactly"),
        (["--steps", "a > b", "--from", "a b"], "`a b` is neither a table's name nor a path"),
        (["--steps", "a > b", "--from", "events.gz"], "`events.gz` is neither a table's name nor a path"),
        (["--steps", "a > b", "events/"], "`events/` is one argument too many"),
        ([], "--steps is needed"),
        (["--steps", "a > b", "--every", "day"], "--every goes with --as trend only"),
        (["--steps", "a > b", "--as", "trend", "--mature", "--include-open"], "exclude each other"),
        (["--as", "schema", "--steps", "a > b"], "--as schema takes no --steps"),
        (["--as", "schema", "--tz", "UTC", "--mature"], "--as schema takes no --mature"),
        (["--as", "schema", "--from", "s3://b/*.parquet"], "--as schema reads lines"),
    ])
    func `what SQL cannot count or read is refused with 2`(_ flags: [String], _ words: String) throws {
        let result = try Child.looptrail(["sql", "--dialect", "duckdb"] + flags)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test func `a trend counts mature starts by the day of the zone`() throws {
        let result = try Child.looptrail([
            "sql", "--dialect", "duckdb", "--as", "trend", "--steps", "a > b", "--window", "1h", "--tz", "Europe/Berlin", "--since",
            "2026-03-28",
            "--until", "2026-03-31",
        ])
        #expect(result.status == 0, "\(result.errors)")
        // The day on which clocks are set forward has 23 hours.
        let stretches = "[1774652400000, 86400000], [1774738800000, 82800000], [1774821600000, 86400000]"
        #expect(result.output.contains("unnest([\(stretches)]::BIGINT[][])"))
        #expect(result.output.contains("(day, by the clocks of Europe/Berlin)") && result.output.contains("< mature_ms"))
    }

    @Test func `summaries are read where every segment has its own`() throws {
        let folder = try TemporaryFolder()
        let names = ["1.ndjson.gz", "2.ndjson.gz"]
        for name in names {
            try folder.file(name, bytes: BlockedFile.bytes([#"{"t_ms":1,"name":"a","user":"u","id":"\#(name)"}"# + "\n"]))
        }
        let events = folder.path
        func refusal(_ pattern: String) throws -> String {
            let result = try Child.looptrail(["sql", "--dialect", "duckdb", "--from", events + pattern, "--steps", "a > b"])
            #expect(result.status == (result.errors.isEmpty ? 0 : 2))
            return result.errors
        }
        #expect(try refusal("/*.parquet").contains("`\(events)/\(names[0])` has no summary: `looptrail index` makes one"))
        #expect(try refusal("/none*.parquet").contains("no file is `\(events)/none*.parquet`"))
        #expect(try Child.looptrail(["index", events, "--quiet"]).status == 0)
        #expect(try refusal("/*.parquet") == "")
        #expect(try refusal("/\(names[0]).parquet") == "")
        #expect(try refusal("/**/*.parquet") == "")
        try FileManager.default.createDirectory(atPath: folder.path("deep/er"), withIntermediateDirectories: true)
        try folder.file("deep/er/3.ndjson.gz", bytes: BlockedFile.bytes(["{\"t_ms\":1,\"name\":\"a\"}\n"]))
        #expect(try refusal("/**/*.parquet").contains("deep/er/3.ndjson.gz` has no summary that can be used"))
        #expect(try refusal("/*.parquet") == "")
        // A Parquet file of another program is no summary, and the pattern would read it as one.
        try Data("PAR1".utf8).write(to: URL(fileURLWithPath: events + "/other.parquet"))
        #expect(try refusal("/*.parquet").contains("`\(events)/other.parquet` is no summary that can be used"))
        #expect(try refusal("/*.ndjson.gz.parquet") == "")
        try FileManager.default.removeItem(atPath: "\(events)/\(names[0]).parquet")
        #expect(try refusal("/*.ndjson.gz.parquet").contains("`\(events)/\(names[0])` has no summary"))
        try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
        #expect(try refusal("/empty/**/*.parquet").contains("no file is `\(events)/empty/**/*.parquet`"))
        // A path that this machine does not have is taken as it is.
        #expect(try Child.looptrail(["sql", "--dialect", "spark", "--from", "/nowhere/at/all/*.parquet", "--steps", "a > b"]).status == 0)
    }

    @Test func `a schema needs no steps`() throws {
        let result = try Child.looptrail(["sql", "--dialect", "duckdb", "--as", "schema", "--from", "it's/*.ndjson.gz"])
        #expect(result.status == 0)
        #expect(result.output.contains("read_json('it''s/*.ndjson.gz'"))
    }
}
