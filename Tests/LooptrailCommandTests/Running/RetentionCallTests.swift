import Foundation
import Testing

/// `looptrail retention` as a process of its own.
@Suite struct RetentionCallTests {
    private static let day: Int64 = 86_400

    /// Three people start on the first of January and one on the second; two come back.
    private static let visits: String = {
        var lines = (1...3).map { Events.line("opened", Int64($0), user: "u\($0)", props: #"{"plan":"\#($0 == 1 ? "plus" : "free")"}"#) }
        lines.append(Events.line("opened", 60, user: "u1"))
        lines.append(Events.line("opened", day, user: "u1"))
        lines.append(Events.line("opened", 2 * day, user: "u2"))
        lines.append(Events.line("opened", day, user: "u4", props: #"{"plan":"free"}"#))
        lines.append(Events.line("closed", 3 * day, user: "u9"))
        return Events.text(lines)
    }()

    private struct Answer: Decodable {
        struct Definition: Decodable {
            var start: String
            var `return`: String
            var every: String
            var periods: Int
            var tz: String
            var by: String
        }

        struct Cohort: Decodable {
            var startMs: Int64
            var size: Int
            var retained: [Int?]
        }

        struct Group: Decodable {
            var value: String
            var average: [Double?]
        }

        var definition: Definition
        var endMs: Int64?
        var cohorts: [Cohort]
        var average: [Double?]
        var groups: [Group]
    }

    private func run(_ words: [String], _ text: String = visits) throws -> Child.Result {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", text)
        return try Child.looptrail(["retention", path, "--start", "opened", "--return", "opened"] + words)
    }

    private func answer(_ words: [String]) throws -> Answer {
        let result = try run(words + ["--format", "json"])
        #expect(result.status == 0 && result.errors == "")
        return try Answer(snakeCase: result.output)
    }

    @Test func `the keys of the JSON are fixed`() throws {
        let found = try answer(["--periods", "2"])
        #expect(found.definition.start == "opened" && found.definition.return == "opened" && found.definition.every == "day")
        #expect(found.definition.periods == 2 && found.definition.tz == "UTC" && found.definition.by == "user")
        let midnight = Events.start - 43_200_000
        #expect(found.endMs == Events.start + 3 * Self.day * 1000)
        #expect(found.cohorts.map(\.startMs) == [midnight, midnight + Self.day * 1000])
        #expect(found.cohorts.map(\.size) == [3, 1])
        #expect(found.cohorts.map(\.retained) == [[1, 1, 1], [0, 0, nil]])
        let third = 1.0 / 3
        #expect(found.average == [0.25, 0.25, third])
        #expect(found.groups.isEmpty)
    }

    @Test func `zones, weeks, ranges and groups can be asked for`() throws {
        // In Tokyo the day begins at 15:00 UTC of the day before.
        #expect(try answer(["--tz", "Asia/Tokyo"]).cohorts.first?.startMs == Events.start - 75_600_000)
        let week = try answer(["--every", "week", "--periods", "1"])
        #expect(week.cohorts.map(\.size) == [4] && week.cohorts.map(\.retained) == [[nil, nil]])
        #expect(try answer(["--since", "2026-01-02"]).cohorts.map(\.size) == [1])
        #expect(try answer(["--breakdown", "props.plan", "--periods", "1"]).groups.map(\.value) == ["free", "plus"])
        #expect(try answer(["--breakdown", "props.plan", "--top", "1"]).groups.map(\.value) == ["free", "(other)"])
    }

    @Test func `a triangle for people, rows for programs, a heat map on a page`() throws {
        let lines = try run(["--periods", "2"]).output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("Retention   4 users, from opened, back with opened, every day by UTC"))
        #expect(lines[1] == "day         started      0      1      2")
        #expect(lines[2] == "2026-01-01        3  33.3%  33.3%  33.3%")
        #expect(lines[3] == "2026-01-02        1   0.0%   0.0%")
        #expect(lines[4] == "Average           4  25.0%  25.0%  33.3%")
        let csv = try run(["--format", "csv", "--periods", "1"]).output.split(separator: "\r\n")
        #expect(csv[0] == "group,cohort,start,size,period,retained,share,complete" && csv.count == 5)
        #expect(csv[1] == ",2026-01-01,2026-01-01T00:00:00.000Z,3,0,1,0.3333333333333333,true")
        #expect(try run(["--format", "md"]).output.contains("| Average |"))
        let html = try run(["--format", "html"]).output
        #expect(html.contains("fill-opacity=") && html.contains("Who came back"))
    }

    @Test(arguments: [
        ([], "--start and --return are needed"), (["--start", "a"], "--start and --return are needed"),
        (["--start", "a > b", "--return", "c"], "--start: `a > b` has 2 steps"),
        (["--start", "a?", "--return", "c"], "the first step is never"),
        (["--start", "a", "--return", "b", "--every", "hour"], "`hour` is not one of `day`, `week`, `month`"),
        (["--start", "a", "--return", "b", "--periods", "9999"], "--periods: `9999` is not a whole number from 0 to 366"),
        (["--start", "a", "--return", "b", "--breakdown", "props.p:all"], "a breakdown by :all"),
        (["--start", "a", "--return", "b", "--top", "3"], "it needs --breakdown"),
        (["--start", "a", "--return", "b", "--since", "2026-02-01", "--until", "2026-01-01"], "--since is not before --until"),
    ])
    func `what makes no sense is a usage error`(words: [String], message: String) throws {
        let result = try Child.looptrail(["retention", "x"] + words)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `no data at all is no error, a misspelt name a warning`() throws {
        let result = try run([], "")
        #expect(result.status == 0 && result.output.contains("no cohorts: nothing matched the start"))
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.visits)
        let misspelt = try Child.looptrail(["retention", path, "--start", "opend", "--return", "opened"])
        #expect(misspelt.status == 0 && misspelt.errors.contains("did you mean `opened`?"))
    }
}
