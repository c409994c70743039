import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("Trends in reports")
struct TrendReportTests {
    static let day: Int64 = 86_400_000
    static let start: Int64 = 1_767_225_600_000

    /// A trend with these counts of entered and converted; day 0 is 2026-01-01.
    static func report(
        _ days: [(day: Int64, entered: Int, converted: Int)], name: String = "a", every unit: CalendarUnit = .day,
        in zone: TimeZoneRules = .utc
    ) throws -> FunnelTrendResult {
        let definition = try FunnelDefinition(steps: [FunnelStep(name), FunnelStep("b")], windowMilliseconds: 3_600_000)
        let points = days.map { day in
            let funnel = SampleResults.funnel(definition, counts: [day.entered, day.converted], milliseconds: [2000])
            return FunnelTrend.Point(
                startMilliseconds: start + day.day * Self.day, steps: funnel.steps, entered: day.entered, converted: day.converted,
                windowOpen: day.entered == 3 ? 1 : 0, timeToConvert: funnel.timeToConvert)
        }
        let whole = SampleResults.funnel(
            definition, counts: [points.reduce(0) { $0 + $1.entered }, points.reduce(0) { $0 + $1.converted }], milliseconds: [2000],
            windowOpen: points.reduce(0) { $0 + $1.windowOpen }, dataEnd: start + 1000 * Self.day)
        let trend = FunnelTrend(whole: whole, points: points)
        return FunnelTrendResult(trend, every: unit, in: zone)
    }

    @Test func `days on which nobody entered stand between those with entries`() throws {
        let report = try Self.report([(0, 4, 2), (3, 3, 3)])
        #expect(report.periods.map { ($0.startMilliseconds - Self.start) / Self.day } == [0, 1, 2, 3])
        #expect(report.periods.map { $0.point?.entered } == [4, nil, nil, 3])
    }

    @Test func `the picture names every mark of a day`() throws {
        let days: [(String, Int64)] = [("2.1", 0), ("sale", 0), ("2.2", 1)]
        let marks = days.map { FunnelTrendResult.Mark(at: Self.start + $1 * Self.day, $0) }
        let report = FunnelTrendResult(try Self.report([(0, 4, 2), (1, 3, 3)]).trend, every: .day, in: .utc, marks: marks)
        let chart = try #require(report.section.figures.first?.chart as? LineChart)
        #expect(chart.points.map(\.mark) == ["2.1, sale", "2.2"])
    }

    @Test func `a wild time makes no millions of empty days`() throws {
        let report = try Self.report([(0, 4, 2), (100_000_000, 1, 1)])
        #expect(report.periods.count == 2)
    }

    @Test func `a table for people`() throws {
        #expect(
            TableReport(TextStyle(width: 70)).text(of: try Self.report([(0, 4, 2), (2, 3, 3)])) == """
                Trend   7 users, every day by UTC, window 1h from step 1, ordered
                day         entered  converted    rate            95%  median  open
                2026-01-01        4          2   50.0%     15.0–85.0%      2s
                2026-01-02        0          0       –
                2026-01-03        3          3  100.0%    43.9–100.0%      2s     1
                no room for: bars
                Overall 71.4% · 95% 35.9–91.8%
                  · who starts in several periods counts in each
                Nothing is concluded: only visits are compared; where they can be
                  counted, --count visits does.
                0 events in 0 files (0 B): 0 bad lines, 0 duplicates, 0 without user,
                  0 damaged

                """)
    }

    @Test(
        "an alert names the fall that two days could show, if there is one",
        arguments: [
            (1000, ""), (100, "; two days of as many visits can show one of 44.7%"),
            (10, "; two days of as many visits can show none of any size"),
        ])
    func shownInTwoDays(visits: Int, expected: String) throws {
        let definition = try FunnelDefinition(
            steps: [FunnelStep("a"), FunnelStep("b")], windowMilliseconds: 3_600_000, counting: .visits)
        let funnel = SampleResults.funnel(definition, counts: [visits, visits / 2])
        let points = (0..<Int64(21)).map { day in
            let start = Self.start + day * Self.day
            return FunnelTrend.Point(
                startMilliseconds: start, steps: funnel.steps, entered: visits, converted: visits / 2,
                coverage: Coverage(
                    sinceMilliseconds: start, untilMilliseconds: start + Self.day, coveredMilliseconds: Self.day, holes: [],
                    wholeDays: [start], days: 1), timeToConvert: nil)
        }
        let report = FunnelTrendResult(FunnelTrend(whole: funnel, points: points), every: .day, in: .utc, drop: 0.2)
        #expect(report.findings.last?.words == "Alert: no fall of 20.0% holds on 2026-01-21\(expected).")
    }

    @Test func `a steady trend is steady but for what a mark shows`() throws {
        var (steady, fell) = (TrendClaim(claim: Claim(.steady)), TrendClaim(claim: Claim(.fell), atMilliseconds: Self.start))
        (steady.claim.detectable, fell.claim.difference, fell.claim.interval) = (0.06, -0.04, ConfidenceInterval(-0.07, -0.01))
        let report = try Self.report([(0, 4, 2)])
        let seen = "that these visits could show; one of 6.0 points would be seen 8 times in 10."
        for others in [[], [steady]] {
            #expect(report.words(ofVerdict: steady, beside: others) == "Steady: no lasting change \(seen)")
        }
        #expect(report.words(ofVerdict: steady, beside: [steady, fell]) == "Steady but for the marks: no other lasting change \(seen)")
        #expect(report.words(ofVerdict: fell, beside: [fell]).hasPrefix("Conversion fell on 2026-01-01 by 4.0 points"))
    }

    @Test func `where all starts are too late to be mature, none is said to have matched in time`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b")).counting(.mature)
        let funnel = SampleResults.funnel(definition, counts: [0, 0])
        func result(leftOut: Int) -> FunnelResult {
            FunnelResult(
                definition: definition, steps: funnel.steps, windowOpen: 0, input: InputQuality(), unseenNames: [],
                mature: .init(entered: 0, converted: 0, leftOut: leftOut))
        }
        for (leftOut, expected) in [(0, "matched step 1"), (3, "matched step 1 in time to be mature")] {
            let whole = result(leftOut: leftOut)
            #expect(whole.section.remarks.first == "Nothing \(expected).")
            #expect(TableReport().text(of: whole).contains("Overall –: nothing \(expected)\n"))
            let trend = FunnelTrendResult(FunnelTrend(whole: whole, points: []), every: .day, in: .utc)
            #expect(trend.section.remarks.first == "Nothing \(expected).")
        }
    }

    @Test func `what is not complete is marked and said, and groups stand below`() throws {
        let definition = try FunnelDefinition(
            steps: [FunnelStep("a"), FunnelStep("b")], windowMilliseconds: 3_600_000, breakdown: FunnelBreakdown(path: ["plan"])
        ).counting(.mature)
        let funnel = SampleResults.funnel(definition, counts: [4, 2], milliseconds: [2000], dataEnd: Self.start + Self.day)
        let whole = FunnelResult(
            definition: definition, steps: funnel.steps,
            groups: [.init(value: "(none)", steps: funnel.steps), .init(value: "pro", steps: funnel.steps)],
            windowOpen: 0, input: InputQuality(), unseenNames: [], mature: .init(entered: 4, converted: 2, leftOut: 3),
            dataEnd: funnel.dataEnd)
        let points = [(0, true), (1, false)].map { day, isComplete in
            FunnelTrend.Point(
                startMilliseconds: Self.start + Int64(day) * Self.day, steps: funnel.steps, groups: whole.groups, entered: 4, converted: 2,
                leftOut: day * 3, isComplete: isComplete, timeToConvert: funnel.timeToConvert)
        }
        let report = FunnelTrendResult(FunnelTrend(whole: whole, points: points), every: .day, in: .utc)
        let text = TableReport().text(of: report)
        #expect(text.contains("mature starts only, by props.plan:first\n"), "\(text)")
        #expect(text.contains("\n2026-01-02*        4") && text.contains("\n* not complete\n"), "\(text)")
        #expect(text.contains("\n3 more, left out here, entered too late to be mature when the data ended.\n"), "\(text)")
        #expect(text.contains("\nday            pro  (none)\n2026-01-01   50.0%   50.0%\n2026-01-02*  50.0%   50.0%\n"), "\(text)")
        #expect(JSONReport().text(of: report).contains(#""groups":[{"value":"(none)","entered":4,"converted":2,"rate":0.5,"rate_ci95":["#))
        let rows = try CommaSeparated.rows(CSVReport().text(of: report))
        #expect(rows[0].suffix(3) == ["left_out", "complete", "group"] && rows.count == 1 + 2 * 3 * 2)
        #expect(rows.last?.suffix(3) == ["3", "false", "pro"])
        for format in ReportFormats.all() where format.name != "jsonl" { #expect(!format.text(of: report).isEmpty) }
        // A page has a line for each group, dotted where it is not complete.
        let html = HTMLReport().text(of: report)
        #expect(MarkupPage(html).problems == [] && html.contains("class=\"line c1\"") && html.contains("class=\"line open c2\""))
        #expect(MarkdownReport().text(of: report).contains("| `pro` | 2026-01-02 | 4 | 2 | 50.0% | 15.0–85.0% | no |"))
    }

    @Test func `two times are drawn over each other from where both begin`() throws {
        func trend(since day: Int64, _ days: [(day: Int64, converted: Int)]) throws -> FunnelTrend {
            let definition = try FunnelDefinition(
                steps: [FunnelStep("a"), FunnelStep("b")], windowMilliseconds: 1, since: Self.start + day * Self.day + 5)
            let points = days.map { day in
                FunnelTrend.Point(
                    startMilliseconds: Self.start + day.day * Self.day,
                    steps: SampleResults.funnel(definition, counts: [10, day.converted]).steps, entered: 10, converted: day.converted,
                    timeToConvert: nil)
            }
            return FunnelTrend(
                whole: SampleResults.funnel(definition, counts: [10, 5], dataEnd: Self.start + 1000 * Self.day), points: points)
        }
        // Nobody came on this time's first day, and on the other's second.
        let report = FunnelTrendResult(
            try trend(since: 7, [(8, 4), (9, 5), (10, 6)]), every: .day, in: .utc, comparedWith: try trend(since: 0, [(0, 1), (2, 3)]))
        #expect(report.compared.map { $0.map { ($0.startMilliseconds - Self.start) / Self.day } } == [1, 2, nil])
        #expect(report.compared.map { $0?.point?.rate } == [nil, 0.3, nil])
        let html = HTMLReport().text(of: report)
        #expect(
            html.contains(">Other time<") && html.contains("class=\"dot faint\"") && MarkupPage(html).problems == [])
        #expect(MarkdownReport().text(of: report).contains("| yes | 2026-01-03 | 30.0% | +20.0 |"))
        // JSON, CSV and the terminal have what the page shows.
        let json = JSONReport().text(of: report)
        #expect(
            json.contains(
                #""compared":{"start_ms":\#(Self.start + 2 * Self.day),"entered":10,"converted":3,"rate":0.3,"complete":true,"difference":{"rate":0.2}}}"#
            ), "\(json)")
        #expect(json.contains(#""compared":null}"#) && json.contains(#""rate":null,"complete":true,"difference":{"rate":null}}}"#))
        let rows = CSVReport().text(of: report).split(whereSeparator: \.isNewline)
        #expect(rows[0].hasSuffix(",complete,compared_period,compared_start,compared_count,compared_of_first,of_first_points"))
        #expect(rows[4].hasSuffix(",2026-01-03,2026-01-03T00:00:00.000Z,3,0.3,0.2"), "\(rows[4])")
        #expect(rows[6].hasSuffix(",true,,,,,"))
        let text = TableReport(TextStyle(width: 140)).text(of: report)
        #expect(text.contains("compared with") && text.contains("2026-01-03") && text.contains("+20.0"))
        for columns in [60, 80, 120] {
            let lines = TableReport(TextStyle(width: columns)).text(of: report).split(separator: "\n")
            #expect(lines.allSatisfy { TerminalText.width(of: String($0)) <= columns }, "\(lines)")
            if columns >= 80 {
                #expect(
                    lines.contains { $0.contains("other rate") && $0.contains("difference") } && lines.contains { $0.contains("+20.0") })
            }
        }
        let alone = FunnelTrendResult(report.trend, every: .day, in: .utc)
        #expect(!JSONReport().text(of: alone).contains(#""compared":"#) && !CSVReport().text(of: alone).contains("compared"))
    }

    @Test("bars where there is room, and no line wider than the terminal", arguments: [60, 80, 140])
    func width(columns: Int) throws {
        let text = TableReport(TextStyle(width: columns)).text(
            of: try Self.report([(0, 4, 2), (2, 3, 3)], name: String(repeating: "x", count: 90)))
        for line in text.split(separator: "\n") { #expect(TerminalText.width(of: String(line)) <= columns && line.last != " ", "\(line)") }
        #expect(text.contains("█") == (columns > 60))
    }

    @Test func `JSON has exactly the fixed keys`() throws {
        let text = JSONReport().text(of: try Self.report([(0, 4, 2), (2, 3, 0)]))
        #expect(
            text.contains(
                """
                 "every":"day","tz":"UTC",
                 "overall":{"entered":7,"converted":2,"rate":0.2857142857142857,"rate_ci95":[0.08221892400405678,0.6410655481673808]},
                 "verdict":{"holds":false,"kind":"none","difference":null,"ci95":null,"p_value":null,"q_value":null,"unit":"users",\
                "adjusted_for":[],"refused":"unit","detectable":null,\
                "sentence":"Nothing is concluded: only visits are compared; where they can be counted, --count visits does.",\
                "at_ms":null,"relative":null},
                 "marks":[],
                 "alert":null,
                 "points":[{"start_ms":1767225600000,"entered":4,"converted":2,"rate":0.5,"window_open":0,"counts":[4,2],\
                "time_ms":{"n":2,"mean":2000,"p50":2000,"p90":2000,"p99":2000},\
                "complete":true,"left_out":0,"rate_ci95":[0.15003898915214947,0.8499610108478506],"groups":[],"coverage":null},
                   {"start_ms":1767312000000,"entered":0,"converted":0,"rate":null,"window_open":0,"counts":[0,0],"time_ms":null,\
                "complete":true,"left_out":0,"rate_ci95":null,"groups":[],"coverage":null},
                   {"start_ms":1767398400000,"entered":3,"converted":0,"rate":0,"window_open":1,"counts":[3,0],"time_ms":null,\
                "complete":true,"left_out":0,"rate_ci95":[0,0.5614970317550454],"groups":[],"coverage":null}],
                 "input":
                """))
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }

    @Test(arguments: [(CalendarUnit.hour, "2026-01-01 00:00"), (.day, "2026-01-01"), (.week, "2026-01-01"), (.month, "2026-01")])
    func `a period is called by its beginning`(unit: CalendarUnit, label: String) throws {
        let report = try Self.report([(0, 4, 2)], every: unit)
        #expect(report.label(report.periods[0]) == label)
    }

    @Test func `spreadsheets have a row a period and step, pages a line`() throws {
        let report = try Self.report([(0, 4, 2), (2, 3, 3)])
        let rows = try CommaSeparated.rows(CSVReport().text(of: report))
        #expect(rows.count == 7 && rows[2][0] == "2026-01-01" && rows[2][4] == "2")
        #expect(HTMLReport().text(of: report).contains("<svg"))
        #expect(MarkdownReport().text(of: report).contains("| 2026-01-02 | 0 | 0 | – |"))
        // A trend of users says that it concludes nothing, as in JSON. Only days have a verdict.
        let words = "Nothing is concluded: only visits are compared"
        #expect([MarkdownReport().text(of: report), HTMLReport().text(of: report)].allSatisfy { $0.contains(words) })
        #expect(!MarkdownReport().text(of: try Self.report([(0, 4, 2)], every: .week)).contains(words))
    }

    @Test func `a trend that nobody entered is a report in every format`() throws {
        let report = try Self.report([])
        #expect(TableReport().text(of: report).contains("Overall –: nothing matched step 1\n"))
        for format in ReportFormats.all() where format.name != "jsonl" { #expect(!format.text(of: report).isEmpty) }
    }
}

@Suite("The keys behind a bar in reports")
struct MembersReportTests {
    static func members(key: String = "u1", group: String? = nil) throws -> FunnelPeople {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), breakdown: group == nil ? nil : FunnelBreakdown(path: ["plan"]))
        return FunnelPeople(
            definition: definition, selection: .dropped(step: 2),
            members: [
                .init(key: key, startMilliseconds: 1_767_225_600_000, lastMilliseconds: 1_767_225_601_000, depth: 1, value: group),
                .init(key: "u2", startMilliseconds: 1_767_225_600_005, lastMilliseconds: 1_767_225_600_005, depth: 1, value: nil),
            ], input: InputQuality(), unseenNames: [])
    }

    @Test func `a table with a key a line`() throws {
        #expect(
            TableReport().text(of: try Self.members()) == """
                Users   2 users that left before step 2 (b), window 7d from step 1, ordered
                key  entered (UTC)        last step (UTC)      depth
                u1   2026-01-01 00:00:00  2026-01-01 00:00:01      1
                u2   2026-01-01 00:00:00  2026-01-01 00:00:00      1
                0 events in 0 files (0 B): 0 bad lines, 0 duplicates, 0 without user, 0 damaged

                """)
    }

    @Test func `a breakdown's value stands beside the key`() throws {
        let text = TableReport().text(of: try Self.members(group: "pro"))
        #expect(text.contains("depth  group\n") && text.contains("1  pro\n") && text.contains("1  (none)\n"))
        #expect(JSONReport().text(of: try Self.members(group: "pro")).contains(#""depth":1,"group":"pro"}"#))
    }

    @Test func `JSON has exactly the fixed keys`() throws {
        let text = JSONReport().text(of: try Self.members())
        #expect(
            text.contains(
                """
                 "step":2,"dropped":true,"count":2,
                 "members":[{"key":"u1","start_ms":1767225600000,"last_ms":1767225601000,"depth":1,"group":null},
                   {"key":"u2","start_ms":1767225600005,"last_ms":1767225600005,"depth":1,"group":null}],
                 "input":
                """))
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }

    @Test func `CSV has a row a key, and a formula in a key is none`() throws {
        let rows = try CommaSeparated.rows(CSVReport().text(of: try Self.members(key: "=1+1")))
        #expect(rows.map { $0[0] } == ["key", "'=1+1", "u2"])
    }

    @Test func `a bar without keys has the line nobody`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .property(["cart"]))
        let none = FunnelPeople(definition: definition, selection: .reached(step: 1), members: [], input: InputQuality(), unseenNames: [])
        #expect(
            TableReport().text(of: none).hasPrefix(
                "Users   0 by props.cart that reached step 1 (a), window 7d from step 1, ordered\nnobody\n0 events"))
        #expect(JSONReport().text(of: none).contains(#""members":[]"#))
    }
}
