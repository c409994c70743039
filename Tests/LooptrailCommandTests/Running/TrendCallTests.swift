import Foundation
import Testing

/// `looptrail trend` as a process of its own.
@Suite struct TrendCallTests {
    @Test func `one event after a silence that only the window hides is told, and its days claim no fall`() throws {
        // Half of the users convert after seven and a half days, within a window of eight.
        let starts = (0..<32).flatMap { day in (0..<60).map { (user: "u\(day)-\($0)", time: Int64(day) * 86_400 + Int64($0) * 1440) } }
        let end = Int64(32 * 86_400)
        let conversions = starts.enumerated().filter { $0.offset % 2 == 0 && $0.element.time + 648_000 < end }.map(\.element)
        let lines =
            starts.map { Events.line("a", $0.time, user: $0.user) } + conversions.map { Events.line("b", $0.time + 648_000, user: $0.user) }
        let folder = try TemporaryFolder()
        let (all, stray) = (try folder.file("e.ndjson", Events.text(lines)), Events.line("c", end + 3 * 86_400, user: "u0-0"))
        let words = ["trend", all, "--steps", "a > b", "--window", "8d", "--fail-drop", "20%"]
        let plain = try Child.looptrail(words)
        #expect(plain.status == 0 && plain.output.contains("Steady") && !plain.errors.contains("nothing came"), "\(plain.errors)")
        let late = try Child.looptrail(words + [try folder.file("late.ndjson", Events.text([stray]))])
        #expect(late.errors.contains("nothing came for 3d before 2026-02-05 12:00:00 (1 event from then on)"), "\(late.errors)")
        #expect(late.status == 0 && late.output.contains("Steady") && !late.output.contains("Conversion fell"), "\(late.output)")
    }

    @Test func `--fail-drop fails where the first step is gone, but not where as many days had none before`() throws {
        func lines(_ days: Int, isOpen: (_ day: Int, _ start: Int) -> Bool) -> [String] {
            (0..<days).flatMap { day in
                (0..<48).flatMap { start in
                    let (user, time) = ("u\(day)-\(start)", Int64(day) * 86_400 + Int64(start) * 1800)
                    return (isOpen(day, start) ? [Events.line("a", time, user: user)] : []) + [Events.line("b", time + 1, user: user)]
                }
            }
        }
        let folder = try TemporaryFolder()
        func trend(_ lines: [String], steps: String = "a > b") throws -> Child.Result {
            let path = try folder.file("e.ndjson", Events.text(lines))
            return try Child.looptrail(["trend", path, "--steps", steps, "--window", "1h", "--fail-drop", "20%"])
        }
        let gone = try trend(lines(35) { day, _ in day < 30 })
        #expect(
            gone.status == 4 && gone.errors.contains("nothing began with `a` on 4 whole days after 2026-01-31, though the data have"),
            "\(gone.errors)")
        let closed = try trend(lines(35) { day, _ in day % 7 < 5 })
        #expect(closed.status == 0 && !closed.errors.contains("nothing began"), "\(closed.errors)")
        let young = try trend(lines(9) { day, _ in day < 5 })
        #expect(young.status == 0 && !young.errors.contains("nothing began"), "14 whole days are needed: \(young.errors)")
        let rare = try trend(lines(35) { day, start in day < 20 && day % 5 == 0 && start == 0 })
        #expect(rare.status == 0 && !rare.errors.contains("nothing began"), "two are expected at most: \(rare.errors)")
        let back = try trend(lines(35) { day, start in day < 30 || day == 34 && start > 40 })
        #expect(back.status == 0 && !back.errors.contains("nothing began"), "it began again on the last day: \(back.errors)")
        let misspelt = try trend(lines(3) { _, _ in true }, steps: "aa > b")
        #expect(misspelt.status == 4 && misspelt.errors.contains("nothing began with `aa`"), "\(misspelt.errors)")
    }

    private struct Answer: Decodable {
        struct Point: Decodable {
            var startMs: Int64
            var entered: Int
            var converted: Int
        }

        var every: String
        var tz: String
        var points: [Point]
    }

    /// Entries on 1 January at 12:00 and at 23:00, which converts the next day, and on 3 February.
    private static let lines = Events.text([
        Events.line("a", 0, user: "u1"), Events.line("a", 11 * 3600, user: "u2"), Events.line("b", 13 * 3600, user: "u2"),
        Events.line("a", 33 * 86_400, user: "u3"),
    ])

    private func answer(_ words: [String], of lines: String = Self.lines) throws -> Answer {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", lines)
        let result = try Child.looptrail(["trend", path, "--steps", "a > b", "--include-open", "--format", "json"] + words)
        #expect(result.status == 0 && result.complaints == "")
        return try Answer(snakeCase: result.output)
    }

    @Test func `--fail-drop of users, and gauges of weeks, are refused`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["trend", path, "--steps", "viewed > added", "--count", "users", "--fail-drop", "20%"])
        #expect(result.status == 2 && result.errors.contains("--fail-drop needs visits, which are not counted here"))
        let weekly = try Child.looptrail(["trend", path, "--steps", "viewed > added", "--every", "week", "-o", folder.path("t.prom")])
        #expect(weekly.status == 2 && weekly.errors.contains("format prom needs days: leave out --every"), "\(weekly.errors)")
    }

    @Test func `each visit counts on the day of its entry, and days without an entry are there`() throws {
        let found = try answer([])
        #expect(found.every == "day" && found.tz == "UTC")
        #expect(found.points.count == 34)
        #expect(found.points[0].entered == 2 && found.points[0].converted == 1 && found.points[33].entered == 1)
        #expect(found.points[1...32].allSatisfy { $0.entered == 0 })
        #expect(found.points[0].startMs == Events.start - 12 * 3_600_000)
    }

    @Test(
        arguments: [
            ("hour", "UTC", 793, 1), ("week", "UTC", 6, 2), ("month", "UTC", 2, 2), ("day", "Asia/Tokyo", 34, 1),
        ] as [(String, String, Int, Int)])
    func `periods follow the calendar of the zone`(_ unit: String, _ zone: String, _ count: Int, _ first: Int) throws {
        let found = try answer(["--every", unit, "--tz", zone])
        #expect(found.points.count == count && found.points[0].entered == first && found.tz == zone)
        #expect(found.points.reduce(0) { $0 + $1.entered } == 3)
    }

    @Test func `a month begins by the clock of the zone`() throws {
        // At noon of 31 January by UTC it is February on Kiritimati.
        let entries = [Events.line("a", 0, user: "u1"), Events.line("a", 30 * 86_400, user: "u2")]
        let lines = Events.text(entries + [Events.line("b", 30 * 86_400 + 60, user: "u2")])
        for (zone, entered) in [("UTC", [2]), ("Pacific/Kiritimati", [1, 1])] {
            #expect(try answer(["--every", "month", "--tz", zone], of: lines).points.map(\.entered) == entered, "\(zone)")
        }
    }

    @Test func `the table has a period a line`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.lines)
        let text = try Child.looptrail(["trend", path, "--steps", "a > b", "--include-open", "--every", "month"]).output
        let lines = text.split(separator: "\n")
        #expect(lines[0].hasPrefix("Trend   3 visits, every month by UTC, window 7d from step 1, ordered"))
        #expect(lines[2].hasPrefix("2026-01*        2          1  50.0%") && lines[3].hasPrefix("2026-02*        1          0"))
        #expect(lines[4].hasPrefix("Overall 33.3% · 95% 6.1–79.2%") && lines.contains("* not complete"))
    }

    @Test func `no data is no failure, but an unknown unit is`() throws {
        let empty = try Child.looptrail(["trend", "--steps", "a > b"])
        #expect(empty.status == 0 && empty.output.contains("Overall –: nothing matched step 1"))
        let wrong = try Child.looptrail(["trend", "x", "--steps", "a > b", "--every", "dya"])
        #expect(wrong.status == 2 && wrong.errors.contains("did you mean `day`?"))
    }
}
