import Foundation
import Testing

/// Windows that are still open when the data ends.
@Suite struct MatureCallTests {
    private struct Answer: Decodable {
        struct Share: Decodable, Equatable {
            var entered: Int
            var converted: Int
            var rate: Double?
            var rateCi95: [Double]?
        }

        struct Mature: Decodable {
            var untilMs: Int64?
            var entered: Int
            var leftOut: Int
        }

        struct Definition: Decodable { var mature: Bool }

        struct Compare: Decodable {
            struct Difference: Decodable {
                var rate: Double?
                var ci95: [Double]?
                var pValue: Double?
            }

            var overall: Share
            var difference: Difference
        }

        var definition: Definition
        var overall: Share
        var mature: Mature?
        var windowOpen: Int
        var compare: Compare?
    }

    /// A hundred users a day for fourteen days. Every second one converts two days later, unless the data ends before.
    private static let lines = Events.text(
        (0..<14).flatMap { day in
            (0..<100).flatMap { user in
                let start = Int64(day) * 86_400 + Int64(user)
                let all = [Events.line("a", start, user: "u\(day)-\(user)"), Events.line("b", start + 172_800, user: "u\(day)-\(user)")]
                return user % 2 == 0 && day < 12 ? all : Array(all.prefix(1))
            }
        })

    private func run(_ words: [String], lines: String = Self.lines) throws -> Child.Result {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", lines)
        return try Child.looptrail(["funnel", path, "--steps", "a > b"] + words)
    }

    private func answer(_ words: [String], errors: String = "") throws -> Answer {
        let result = try run(words + ["--format", "json"])
        #expect(result.status == 0 && (errors.isEmpty ? result.errors == "" : result.errors.contains(errors)), "\(result.errors)")
        return try Answer(snakeCase: result.output)
    }

    @Test func `a funnel counts all starts and says what mature ones give`() throws {
        let found = try answer(
            [], errors: "450 of 800 that did not convert still have time: --mature leaves them out; --window 2d is enough for 99%")
        #expect(found.overall.entered == 1400 && found.overall.converted == 600 && !found.definition.mature)
        #expect(found.mature?.entered == 700 && found.mature?.leftOut == 700)
        let mature = try answer(["--mature"])
        #expect(mature.definition.mature && mature.overall.entered == 700 && mature.overall.converted == 350 && mature.windowOpen == 0)
        #expect(mature.mature?.untilMs == Events.start + (13 * 86_400 + 99 - 604_800) * 1000 + 1)
        let until = try answer(["--until", "2026-01-07T12:01:39.001"])
        #expect(until.overall == mature.overall)
    }

    @Test func `compared times have mature starts only, and so no drop that is not there`() throws {
        let words = ["--count", "users", "--window", "3d", "--since", "2026-01-08T12:00", "--compare", "2026-01-01..2026-01-08T12:00"]
        let found = try answer(words, errors: "weekdays and times of day differ")
        #expect(found.definition.mature && found.overall.rate == 0.5 && found.compare?.overall.rate == 0.5)
        #expect(found.compare?.difference.rate == 0 && found.compare?.difference.pValue == 1 && found.compare?.difference.ci95?.count == 2)
        let open = try answer(words + ["--include-open"], errors: "still have time")
        #expect(!open.definition.mature && open.compare?.difference.rate ?? 0 < -0.1 && open.compare?.difference.pValue ?? 1 < 0.05)
    }

    @Test func `a time without a mature start has no share, and a warning says what helps`() throws {
        let words = ["--since", "2026-01-12", "--compare", "2026-01-01..2026-01-05"]
        let found = try answer(
            words, errors: "no start is mature, 300 are left out whose window was open when the data ended: --include-open")
        #expect(found.overall == Answer.Share(entered: 0, converted: 0, rate: nil, rateCi95: nil) && found.mature == nil)
        #expect(found.compare?.difference.rate == nil && found.compare?.difference.ci95 == nil && found.compare?.difference.pValue == nil)
    }

    @Test func `a warning that is true of both compared times is given once`() throws {
        // The windows of all starts of both times are still open when the data ends, so none is mature.
        let errors = try run(["--since", "2026-01-12", "--compare", "2026-01-12..2026-02-01"]).errors
        #expect(errors.split(separator: "no start is mature").count == 2, "\(errors)")
    }

    @Test func `one device with a wrong clock does not make everything look finished`() throws {
        let wrong = Self.lines + Events.text([Events.line("a", 400 * 86_400, user: "future")])
        let result = try run(["--mature", "--format", "json"], lines: wrong)
        #expect(result.errors.contains("1 event from 2027-02-05 12:00:00 on, far after all others"), "\(result.errors)")
        #expect(try Answer(snakeCase: result.output).overall.entered == 700)
        let given = try run(["--mature", "--data-end", "2026-06-01", "--format", "json"], lines: wrong)
        #expect(given.errors == "")
        #expect(try Answer(snakeCase: given.output).overall.entered == 1400)
    }

    @Test(
        "every question about windows asks whether a clock is wrong, and names --data-end if it has the flag",
        arguments: [
            (["why", "--steps", "a > b"], true), (["explain", "--steps", "a > b"], true), (["explain", "u0-1", "--steps", "a > b"], true),
            (["users", "--steps", "a > b", "--mature"], true), (["paths", "--from", "a"], false),
            (["retention", "--start", "a", "--return", "b"], false),
        ] as [([String], Bool)])
    func clock(words: [String], isSettable: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.lines + Events.text([Events.line("a", 400 * 86_400, user: "future")]))
        let errors = try Child.looptrail(words + [path]).errors
        #expect(errors.contains("1 event from 2027-02-05 12:00:00 on, far after all others: is a clock wrong?"), "\(errors)")
        #expect(errors.contains("--data-end says otherwise") == isSettable, "\(errors)")
    }

    /// Events with times in seconds, and some with times as they should be.
    private func inSeconds(_ count: Int, beside good: Int) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let lines = (0..<count).map { #"{"t_ms":\#(Events.start / 1000 + Int64($0)),"name":"a","user":"u\#($0)"}"# }
        try folder.file("e.ndjson", Events.text(lines + (0..<good).map { Events.line("a", Int64($0)) }))
        return folder
    }

    @Test(arguments: [["events"], ["funnel", "--steps", "a"], ["funnel", "--steps", "a > b"]])
    func `times before 1980 are asked whether they are seconds`(words: [String]) throws {
        for good in [0, 1] where good == 0 || words[0] == "funnel" {
            let folder = try inSeconds(60, beside: good)
            let errors = try Child.looptrail(words + [folder.path("e.ndjson")]).errors
            #expect(errors.contains("lie before 1980, the last at 1970-01-21 10:54:28: `t_ms` is read as milliseconds"), "\(errors)")
            #expect(errors.ranges(of: "1980").count == 1 && !errors.contains("is a clock wrong"), "\(errors)")
        }
        // One that lies far after the others lies before 1980, too.
        let far = try inSeconds(60, beside: 0)
        try far.file("f.ndjson", Events.text([#"{"t_ms":100000000000,"name":"a","user":"far"}"#]))
        let errors = try Child.looptrail(words + [far.path("e.ndjson"), far.path("f.ndjson")]).errors
        #expect(errors.ranges(of: "1980").count == 1 && !errors.contains("is a clock wrong"), "\(errors)")
        let folder = try inSeconds(1, beside: 60)
        #expect(try Child.looptrail(words + [folder.path("e.ndjson")]).errors.contains("1980") == false)
    }

    @Test func `flags that contradict each other are usage errors`() throws {
        let both = try run(["--mature", "--include-open"])
        #expect(both.status == 2 && both.errors.contains("exclude each other"))
        let confident = try run(["--confident"])
        #expect(confident.status == 2 && confident.errors.contains("it needs --fail-under"))
    }

    @Test func `a gate is missed for certain only if the interval lies below it`() throws {
        #expect(try run(["--mature", "--fail-under", "2:54%"]).status == 4)
        #expect(try run(["--mature", "--fail-under", "2:53%", "--confident"]).status == 0)
        let certain = try run(["--mature", "--fail-under", "2:60%", "--confident"])
        #expect(certain.status == 4 && certain.errors.contains("at most 53.7% at 95% confidence"), "\(certain.errors)")
    }

    @Test func `a trend has mature starts only, and says what it left out`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.lines)
        struct Trend: Decodable {
            struct Point: Decodable {
                var entered: Int
                var rate: Double?
                var complete: Bool
                var leftOut: Int
            }

            var overall: Answer.Share
            var points: [Point]
        }
        func trend(_ words: [String]) throws -> (found: Trend, errors: String) {
            let result = try Child.looptrail(["trend", path, "--steps", "a > b", "--window", "3d", "--format", "json"] + words)
            return (try Trend(snakeCase: result.output), result.errors)
        }
        let (found, errors) = try trend([])
        #expect(errors.contains("no start of 3 periods is mature: --include-open counts them"), "\(errors)")
        #expect(found.points.map(\.entered) == Array(repeating: 100, count: 11) + [0, 0, 0])
        #expect(found.points.map(\.rate) == Array(repeating: 0.5, count: 11) + [nil, nil, nil])
        #expect(found.points.map(\.complete) == Array(repeating: true, count: 10) + Array(repeating: false, count: 4))
        #expect(found.points.map(\.leftOut) == Array(repeating: 0, count: 11) + [100, 100, 100] && found.overall.entered == 1100)
        let open = try trend(["--include-open"])
        #expect(open.found.overall.entered == 1400 && open.found.points.last?.rate == 0)
    }
}
