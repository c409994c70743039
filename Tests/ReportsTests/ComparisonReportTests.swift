import EventFiles
import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("A funnel compared with another time")
struct ComparisonReportTests {
    /// - Parameters:
    ///   - missing: how many milliseconds this time is shorter than a week.
    ///   - otherMissing: the same of the other time.
    static func comparison(
        name: String = "a", own: [Int] = [10, 5], other: [Int] = [20, 4], counting: FunnelDefinition.Counting = .users,
        isCovered: Bool = false, missing: Int64 = 0, otherMissing: Int64 = 0
    ) throws -> FunnelComparison {
        func result(_ counts: [Int], since: Int64, missing: Int64) throws -> FunnelResult {
            let until = since + 604_800_000 - missing
            let definition = try FunnelDefinition(
                steps: [FunnelStep(name), FunnelStep("b")], windowMilliseconds: 3_600_000, counting: counting, since: since, until: until)
            var result = SampleResults.funnel(definition, counts: counts, milliseconds: [1000])
            if isCovered {
                result.coverage = Coverage(
                    sinceMilliseconds: since, untilMilliseconds: until, coveredMilliseconds: until - since, holes: [],
                    wholeDays: (0..<7).map { since + $0 * 86_400_000 }, days: 7)
            }
            return result
        }
        return FunnelComparison(
            result: try result(own, since: 1_767_830_400_000, missing: missing),
            other: try result(other, since: 1_767_225_600_000, missing: otherMissing))
    }

    @Test func `JSON is that of the funnel, followed by the key compare`() throws {
        let comparison = try Self.comparison()
        let own = JSONReport().text(of: comparison.result)
        let both = JSONReport().text(of: comparison)
        // The fixed keys have the same bytes as without a comparison.
        #expect(both.hasPrefix(own.dropLast(2)))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(both.utf8)) as? [String: Any])
        let compare = try #require(object["compare"] as? [String: Any])
        #expect(
            Set(compare.keys) == [
                "since_ms", "until_ms", "steps", "overall", "groups", "window_open", "mature", "difference", "claim", "coverage",
            ])
        #expect(compare["since_ms"] as? Int == 1_767_225_600_000)
        #expect((compare["steps"] as? [[String: Any]])?.map { $0["count"] as? Int } == [20, 4])
        let difference = try #require(compare["difference"] as? [String: Any])
        #expect(abs((difference["rate"] as? Double ?? 0) - 0.3) < 1e-12)
        #expect((difference["steps"] as? [[String: Any]])?.first?["of_first"] as? Int == 0)
        // Five of ten against four of twenty: too few for a z-test.
        #expect(abs((difference["p_value"] as? Double ?? 0) - 0.11546744110462254) < 1e-12)
        #expect((difference["ci95"] as? [Double])?.count == 2 && (difference["groups"] as? [Any])?.isEmpty == true)
        let step = try #require((difference["steps"] as? [[String: Any]])?.last)
        #expect(step["of_first_p_value"] as? Double == difference["p_value"] as? Double && step["of_first_ci95"] is [Double])
    }

    @Test func `the table shows both counts and the difference in points`() throws {
        let text = TableReport().text(of: try Self.comparison())
        #expect(text.hasPrefix(TableReport().text(of: try Self.comparison().result)))
        #expect(
            text.hasSuffix(
                """

                Compared with starts 2026-01-01 00:00:00 – 2026-01-08 00:00:00
                         this time  other time   share  other share  difference            95%
                 1 a            10          20  100.0%       100.0%         0.0
                 2 b             5           4   50.0%        20.0%       +30.0  −4.1 to +58.9
                Overall          5           4   50.0%        20.0%       +30.0  −4.1 to +58.9
                Nothing is concluded: users are compared only over times that are equally long, wholly covered and apart; --count visits compares any.
                Each user counts once, with the best start: a longer range gives a higher share.

                """))
        let certain = try Self.comparison(own: [1000, 500], other: [2000, 400], isCovered: true)
        let words = "Conversion rose by 30.0 points against the other time, 95% 26.4 to 33.5 (users)."
        #expect(TableReport(TextStyle(width: 200)).text(of: certain).hasPrefix("What matters: \(words)\n\n"))
        #expect(JSONReport().text(of: certain).contains(#""sentence":"\#(words)"}"#))
    }

    @Test func `visits are not independent, so their crude difference has no interval in any format`() throws {
        let comparison = try Self.comparison(counting: .visits)
        let json = JSONReport().text(of: comparison)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let difference = try #require((object["compare"] as? [String: Any])?["difference"] as? [String: Any])
        #expect(difference["rate"] is Double && difference["ci95"] is NSNull && difference["p_value"] is NSNull)
        let step = try #require((difference["steps"] as? [[String: Any]])?.last)
        #expect(step["of_first"] is Double && step["of_first_ci95"] is NSNull && step["of_first_p_value"] is NSNull)
        for format in [TableReport(), MarkdownReport(), HTMLReport()] as [any ReportFormat] {
            #expect(format.text(of: comparison).contains("+30.0") && !format.text(of: comparison).contains("to +58.9"), "\(format.name)")
            #expect(format.text(of: try Self.comparison()).contains("to +58.9"), "\(format.name)")
        }
    }

    @Test func `a week in which clocks change is as long as another`() throws {
        let hour: Int64 = 3_600_000
        let covered = try Self.comparison(own: [1000, 500], other: [2000, 400], isCovered: true, missing: hour)
        #expect(covered.claim.holds && covered.cautions.isEmpty)
        let words = "6d23h of this time are compared with 7d: weekdays and times of day differ."
        #expect(try Self.comparison(missing: hour).cautions == [words])
        // Only what differs by the lengths is named.
        #expect(try Self.comparison(missing: 24 * hour).cautions == ["6d of this time are compared with 7d: weekdays differ."])
        #expect(try Self.comparison(missing: -7 * 24 * hour).cautions == ["14d of this time are compared with 7d."])
        // A week more is no whole number of weeks more than a day.
        let days = try Self.comparison(missing: -24 * hour, otherMissing: 6 * 24 * hour)
        #expect(days.cautions == ["8d of this time are compared with 1d: weekdays differ."])
        // Lengths that print alike are not called unequal.
        #expect(try Self.comparison(missing: 1000).cautions.isEmpty)
    }

    @Test func `times that overlap say so, and users of them are not compared`() throws {
        let apart = try Self.comparison(own: [1000, 500], other: [2000, 400], isCovered: true)
        let same = FunnelComparison(result: apart.result, other: apart.result)
        let words = "The two times overlap."
        #expect(same.claim.refused == .coverage && same.cautions == [words] && apart.cautions.isEmpty)
        for format in [TableReport(TextStyle(width: 200)), MarkdownReport(), HTMLReport()] as [any ReportFormat] {
            #expect(format.text(of: same).contains(words) && !format.text(of: apart).contains(words), "\(format.name)")
        }
    }

    @Test(arguments: [FunnelDefinition.Counting.users, .visits])
    func `of a funnel of one step nothing is claimed`(counting: FunnelDefinition.Counting) throws {
        let definition = try FunnelDefinition(steps: [FunnelStep("a")], counting: counting, breakdown: FunnelBreakdown(path: ["p"]))
        var result = SampleResults.funnel(definition, counts: [400])
        result.groups = ["x", "y"].map { .init(value: $0, steps: result.steps) }
        result.groupClaims = [Claim(), Claim()]
        let comparison = FunnelComparison(result: result, other: result)
        #expect(comparison.section.findings.isEmpty && result.section.findings.isEmpty)
        for format in [TableReport(), MarkdownReport()] as [any ReportFormat] {
            let text = format.text(of: comparison)
            #expect(!text.contains("8 times in 10") && !text.contains("No difference") && !text.contains("is concluded"), "\(format.name)")
        }
        #expect(JSONReport().text(of: comparison).contains(#""claim":{"holds":false"#))
    }

    @Test func `in a comparison with groups, a sentence says whether it is about the times or the groups`() throws {
        func result() throws -> FunnelResult {
            var result = try SampleResults.groups(["pro", "free"])
            var claim = Claim()
            claim.detectable = 0.046
            result.groupClaims = [claim, claim]
            return result
        }
        let text = MarkdownReport().text(of: FunnelComparison(result: try result(), other: try result()))
        #expect(text.contains("\n\nBetween the two times: nothing is concluded: "), "\(text)")
        let words = "no difference that these visits could show; one of 4.6 points would be seen 8 times in 10."
        #expect(text.contains("\n\nBetween the groups: \(words)\n\n"), "\(text)")
        // Alone, neither needs a label. What differs names what it is about.
        #expect(MarkdownReport().text(of: try result()).contains("\n\nNo difference that these visits could show"))
        #expect(!MarkdownReport().text(of: try Self.comparison()).contains("Between the"))
        let found = ReportFinding("Conversion fell by 8.0 points.", Claim(.fell), from: .compare)
        #expect(found.labelled("Between the two times") == found)
    }

    @Test func `the head's interval stands beside its own difference, even where that is near to the crude one`() throws {
        func result(since: Int64, converted: Int) throws -> FunnelResult {
            let (day, until) = (86_400_000 as Int64, since + 604_800_000)
            let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: .visits, since: since, until: until)
            var result = SampleResults.funnel(definition, counts: [280, 7 * converted], milliseconds: [1000])
            var visits = VisitTable()
            for (start, user) in (0..<7).flatMap({ day in (0..<40).map { (day, $0) } }) {
                var cell = VisitTable.Cell(
                    user: Fingerprint(high: UInt64(user), low: UInt64(user) + 1), day: since + Int64(start) * day, group: 0)
                (cell.visits, cell.converted) = (1, user < converted ? 1 : 0)
                visits.add(cell)
            }
            (result.visits, result.coverage) = (
                visits,
                Coverage(
                    sinceMilliseconds: since, untilMilliseconds: until, coveredMilliseconds: until - since, holes: [],
                    wholeDays: (0..<7).map { since + $0 * day }, days: 7)
            )
            return result
        }
        let comparison = FunnelComparison(
            result: try result(since: 1_767_830_400_000, converted: 24), other: try result(since: 1_767_225_600_000, converted: 10))
        let facts = comparison.section.highlights
        #expect(comparison.claim.difference != nil)
        #expect(facts.first { $0.label == "Same weekdays" }?.value == .points(comparison.claim.difference))
        #expect(facts.contains { $0.label == "95 %" })
        // The table has no row for an adjusted difference as near as this, and the claim's interval beside the crude one.
        let table = TableReport(TextStyle(width: 200)).text(of: comparison)
        let bounds = try #require(comparison.claim.interval).pointsText()
        #expect(table.contains("+35.0  \(bounds)\n") && !table.contains("\nsame weekdays"), "\(table)")
        // Nothing is held equal where users are counted.
        #expect(!(try Self.comparison()).section.highlights.contains { $0.label == "Same weekdays" })
    }

    @Test func `where nobody entered there is no difference`() throws {
        let comparison = try Self.comparison(own: [0, 0])
        #expect(TableReport().text(of: comparison).contains("Overall          0           4      –        20.0%           –\n"))
        #expect(
            JSONReport().text(of: comparison).contains(
                #""difference":{"rate":null,"ci95":null,"p_value":null,"steps":[{"index":1,"of_first":null"#))
        for format in ReportFormats.all() { #expect(!format.text(of: comparison).lowercased().contains("nan,")) }
    }

    @Test func `spreadsheets get the rows of both, pages both side by side`() throws {
        let comparison = try Self.comparison()
        let rows = try CommaSeparated.rows(CSVReport().text(of: comparison))
        #expect(rows.count == 5 && rows[0][0] == "time" && rows.dropFirst().map { $0[0] } == ["own", "own", "compared", "compared"])
        #expect(
            MarkdownReport().text(of: comparison).contains(
                "| 2 | `b` | 5 | 4 | 50.0% | 20.0% | +30.0 | −4.1 to +58.9 | 0.115 | 50.0% | 20.0% | +30.0 |"))
        #expect(HTMLReport().text(of: comparison).contains("Side by side"))
    }

    @Test("no line is wider than the terminal", arguments: [60, 80, 140])
    func width(columns: Int) throws {
        let text = TableReport(TextStyle(width: columns)).text(of: try Self.comparison(name: String(repeating: "long", count: 50)))
        for line in text.split(separator: "\n") { #expect(TerminalText.width(of: String(line)) <= columns, "\(line)") }
    }
}
