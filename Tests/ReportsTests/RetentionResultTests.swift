import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("Who came back, reported")
struct RetentionResultTests {
    private func none(_ range: TimeRange = .all, identify: Bool = true) throws -> RetentionResult {
        let definition = try RetentionDefinition(
            start: FunnelStep("a").pattern, returning: FunnelStep.parse("(b | c)")[0].pattern, periods: 1, range: range, identify: identify)
        return RetentionResult(
            Retention(definition: definition, endMilliseconds: nil, cohorts: [], groups: [], input: InputQuality(), unseenNames: []),
            every: .week, in: .utc)
    }

    @Test func `a triangle of cohorts with the average of complete cells, and the groups' averages below`() throws {
        let text = TableReport().text(of: try SampleResults.retention(name: "x"))
        #expect(
            text.hasPrefix(
                """
                Retention   6 by props.x, from x, back with x, every day by UTC
                day         started       0      1     2
                1970-01-01        4   50.0%  25.0%  0.0%
                1970-01-02        2  100.0%  50.0%
                Average           6   66.7%  33.3%  0.0%

                group   started      0      1     2
                x             6  66.7%  33.3%  0.0%
                (none)        6  66.7%  33.3%  0.0%

                """))
    }

    @Test func `in colours a larger share has a stronger background`() throws {
        let lines = TableReport(TextStyle(isColoured: true)).text(of: try SampleResults.retention(name: "x")).split(separator: "\n")
        let cohort = try #require(lines.first { $0.hasPrefix("1970-01-01") })
        let shares = [(24, " 50.0%"), (18, "25.0%"), (17, "0.0%")].map { "  \u{1B}[97;48;5;\($0)m\($1)\u{1B}[0m" }
        #expect(cohort == "1970-01-01        4" + shares.joined())
    }

    @Test func `on a narrow terminal the later periods are named as left out`() throws {
        let lines = TableReport(TextStyle(width: 30)).text(of: try SampleResults.retention(name: "x")).split(separator: "\n")
        #expect(lines.contains("1970-01-02        2  100.0%"))
        #expect(lines.contains("no room for: 1, 2"))
    }

    @Test func `without starts there are neither cohorts nor a picture`() throws {
        let lines = TableReport().text(of: try none()).split(separator: "\n")
        #expect(lines[0] == "Retention   0 users, from a, back with (b | c), every week by UTC")
        #expect(lines[1] == "no cohorts: nothing matched the start")
        let section = try none().section
        #expect(section.remarks.first == "Nothing matched the start." && section.figures.map { $0.chart == nil } == [true])
        #expect(section.highlights.map(\.value) == [.count(0), .count(0), .share(nil)])
        #expect(JSONReport().text(of: try none()).contains(#""cohorts":[],"average":[null,null],"#))
    }

    @Test func `unusual settings are named in every format`() throws {
        let report = try none(TimeRange(since: 0, until: 86_400_000), identify: false)
        #expect(TableReport().text(of: report).contains("every week by UTC, first starts 1970-01-01 00:00:00 – 1970-01-02 00:00:00\n"))
        #expect(report.section.definition.first { $0.label == "Identified users" }?.shown(in: .utc) == "not joined to their anonymous ids")
        #expect(report.section.definition.first { $0.label == "First starts since" }?.shown(in: .utc) == "1970-01-01 00:00:00 UTC")
        #expect(JSONReport().text(of: report).contains(#""since_ms":0,"until_ms":86400000,"identify":false}"#))
        #expect(!JSONReport().text(of: try none()).contains("identify"))
    }

    @Test func `JSON has a number for each complete cell and null for the others`() throws {
        let text = JSONReport().text(of: try SampleResults.retention(name: "x"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let definition = try #require(object["definition"] as? [String: Any])
        #expect(
            Set(definition.keys) == [
                "start", "return", "every", "periods", "tz", "by", "since_ms", "until_ms", "breakdown", "top",
            ])
        let cohorts = try #require(object["cohorts"] as? [[String: Any]])
        #expect(cohorts.map { $0["start_ms"] as? Int } == [0, 86_400_000] && cohorts.map { $0["size"] as? Int } == [4, 2])
        #expect(cohorts.map { ($0["retained"] as? [Any])?.map { $0 as? Int } } == [[2, 1, 0], [2, 1, nil]])
        let average = try #require(object["average"] as? [Double])
        #expect(zip(average, [4.0 / 6, 2.0 / 6, 0]).allSatisfy { abs($0 - $1) < 1e-12 })
        #expect((object["groups"] as? [[String: Any]])?.map { $0["value"] as? String } == ["x", "(none)"])
        #expect(object["end_ms"] as? Int == 259_199_999)
    }

    @Test func `a spreadsheet has a row a group, cohort and period, and says which are complete`() throws {
        let rows = try CommaSeparated.rows(CSVReport().text(of: try SampleResults.retention(name: "x")))
        #expect(rows.count == 1 + 3 * 2 * 3)
        #expect(rows[0] == ["group", "cohort", "start", "size", "period", "retained", "share", "complete"])
        #expect(rows[1] == ["", "1970-01-01", "1970-01-01T00:00:00.000Z", "4", "0", "2", "0.5", "true"])
        #expect(rows[6] == ["", "1970-01-02", "1970-01-02T00:00:00.000Z", "2", "2", "", "", "false"])
        #expect(
            rows.map { $0[0] } == ["group"] + Array(repeating: "", count: 6) + Array(repeating: "x", count: 6)
                + Array(repeating: "(none)", count: 6))
    }

    @Test func `a page says how many were there again after one period`() throws {
        let section = try SampleResults.retention(name: "x").section
        #expect(section.remarks.first == "33.3% were there again one day after their first start.")
        #expect(section.figures.map(\.title) == ["Who came back", "Who came back, by group"])
        let chart = try #require(section.figures[0].chart as? HeatChart)
        #expect(chart.rows.map(\.label) == ["1970-01-01", "1970-01-02"] && chart.rows[1].shares == [1, 0.5, nil])
    }

    @Test(
        "impossible settings are refused in words",
        arguments: [
            (-1, nil, "followed for 0 to 366 periods, here are -1"), (367, nil, "here are 367"),
            (1, "props.p:all", "take :first or :last"), (1, "props.p:step=2", "a breakdown by step 2: the start is step 1"),
        ] as [(Int, String?, String)])
    func refused(periods: Int, breakdown: String?, words: String) {
        let a = FunnelStep("a").pattern
        let error = #expect(throws: RetentionDefinitionError.self) {
            try RetentionDefinition(start: a, returning: a, periods: periods, breakdown: breakdown.map { try FunnelBreakdown.parse($0) })
        }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test func `the fewest and the most periods are accepted, and so is a breakdown by the start`() throws {
        let a = FunnelStep("a").pattern
        for periods in [0, RetentionDefinition.mostPeriods] {
            _ = try RetentionDefinition(start: a, returning: a, periods: periods, breakdown: .parse("props.p:step=1"))
        }
    }
}
