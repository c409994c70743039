import Basics
import Foundation
import Testing
import TrackingEvents

@testable import looptrail

/// `--compare`: a funnel beside the same funnel of another time range.
@Suite struct CompareCallTests {
    private func run(_ words: [String]) throws -> Child.Result {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        return try Child.looptrail(["funnel", path, "--steps", "viewed > added", "--include-open"] + words)
    }

    private let own = ["--since", "2026-01-01T12:00:03"]
    private let compare = ["--compare", "2026-01-01..2026-01-01T12:00:03"]

    @Test func `JSON is that of the funnel, followed by the key compare`() throws {
        let alone = try run(own + ["--count", "visits", "--format", "json"])
        let both = try run(own + compare + ["--format", "json"])
        #expect(both.status == 0 && both.complaints == "")
        #expect(both.output.hasPrefix(alone.output.dropLast(2)))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(both.output.utf8)) as? [String: Any])
        let other = try #require(object["compare"] as? [String: Any])
        #expect((other["steps"] as? [[String: Any]])?.map { $0["count"] as? Int } == [2, 2])
        #expect(try FunnelJSON(both.output).steps.map(\.count) == [2, 0])
        #expect((other["difference"] as? [String: Any])?["rate"] as? Int == -1)
    }

    @Test(arguments: ["table", "csv", "md", "html"])
    func `every other format shows both`(_ format: String) throws {
        let result = try run(own + compare + ["--format", format])
        #expect(result.status == 0)
        #expect(result.output.lowercased().contains("compared"))
        guard format == "table" else { return }
        let overall = try #require(result.output.split(separator: "\n").last { $0.hasPrefix("Overall") })
        #expect(overall.split(separator: " ").prefix(6) == ["Overall", "0", "2", "0.0%", "100.0%", "−100.0"])
    }

    @Test func `dates of the range follow --tz`() throws {
        let result = try run(["--compare", "2026-01-01T13:00..2026-01-01T13:00:03", "--tz", "Europe/Berlin", "--format", "json"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect((object["compare"] as? [String: Any])?["since_ms"] as? Int64 == Events.start)
    }

    @Test func `a warning names times that overlap`() throws {
        let words = "the two times overlap"
        #expect(try run(["--compare", "2026-01-01..2026-01-02"]).errors.contains(words))
        #expect(try !run(own + compare).errors.contains(words))
    }

    @Test func `a range up to now-1h meets one from now-1h on, however late the clock is read again`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        var surroundings = Surroundings.made()
        surroundings.standardError = open(folder.path("errors"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(surroundings.standardError) }
        let time = Lock(Events.start + 3_600_000)
        surroundings.clock = WallClock {
            time.withLock {
                $0 += 1_000
                return $0
            }
        }
        let words = ["--steps", "viewed > added", "--since", "now-1h", "--compare", "now-2h..now-1h", "-o", folder.path("r.json")]
        #expect(await Looptrail(surroundings).run(["funnel", path] + words) == .fine)
        let text = try #require(folder.text("r.json"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let since = try #require((object["definition"] as? [String: Any])?["since_ms"] as? Int64)
        #expect((object["compare"] as? [String: Any])?["until_ms"] as? Int64 == since)
        #expect(folder.text("errors")?.contains("overlap") == false)
    }

    @Test func `a gate is about the funnel's own time`() throws {
        #expect(try run(own + compare + ["--fail-under", "2:50%"]).status == 4)
        #expect(
            try run(["--until", "2026-01-01T12:00:03", "--compare", "2026-01-01T12:00:03..2026-01-02", "--fail-under", "2:50%"]).status == 0
        )
    }

    @Test(arguments: [
        ("2026-01-02..2026-01-01", "--compare: the range is empty"), ("2026-01-01..2026-01-01", "--compare: the range is empty"),
        ("2026-01-01", "is not a time range"), ("now-7d", "is not a time range"),
    ])
    func `an empty range, or a text that is no range, is a usage error`(_ range: String, _ message: String) throws {
        let result = try run(["--compare", range])
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
