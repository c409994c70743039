import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("Why people go on to a step, reported")
struct WhyReportTests {
    private func lines(_ why: Why, _ style: TextStyle = TextStyle()) -> [String] {
        TableReport(style).text(of: why).split(separator: "\n").map(String.init)
    }

    @Test func `a table has the shares and the odds, a sentence says what holds, and no cause is claimed`() throws {
        let lines = lines(try SampleResults.why(named: "pay"))
        #expect(
            lines.prefix(8) == [
                "pay   100 visits, at step 1 (pay) for the first time, 60 went on to step 2 (b), 40 did not, window 1h from step 1, "
                    + "look back 1m, ordered",
                "what               went on  stayed behind  odds ratio          95%",
                "props.pay = pay      75.0%          25.0%        9.00  4.50 – 18.0",
                "event pay            75.0%          25.0%        9.00  4.50 – 18.0",
                "session.pay = pay    75.0%          25.0%        9.00  4.50 – 18.0",
                "Visits with props.pay = pay go on 31.2 points more than other visits of the same day with as many events before, 95% 26.0 to 36.4.",
                "these numbers do not say what causes a difference",
                "left out: 3 still open, 2 too near to the first event, 1 excluded",
            ])
        // A reason that left nobody out is not named.
        let few = self.lines(try SampleResults.why(named: "pay", leftOut: [0, 4, 0]))
        #expect(few.contains("left out: 4 too near to the first event"))
        #expect(!self.lines(try SampleResults.why(named: "pay", leftOut: [0, 0, 0])).contains { $0.contains("left out") })
    }

    @Test func `on a narrow terminal each part keeps its comma`() throws {
        let why = try SampleResults.why(named: "pay", leftOut: [1_234_567, 2_345_678, 3])
        let lines = lines(why, TextStyle(width: 60))
        let start = try #require(lines.firstIndex { $0.hasPrefix("left out") })
        #expect(lines[start...].prefix(2) == ["left out: 1,234,567 still open,", "  2,345,678 too near to the first event, 3 excluded"])
    }

    @Test func `a pair, a changing property, and nothing that holds each have a sentence of their own`() throws {
        let candidates = [
            SampleResults.candidate(.session, "session.plan", "pro", qValue: 1), SampleResults.candidate(.event, "x", nil, qValue: 1),
        ]
        let pair = [SampleResults.finding(candidates), SampleResults.finding([candidates[0]], isChanging: true)]
        let found = lines(try SampleResults.why(named: "pay", candidates: candidates, findings: pair))
        #expect(
            found.contains {
                $0
                    == "Visits with session.plan = pro and event x go on 31.2 points more than other visits of the same day with as many events "
                    + "before, 95% 26.0 to 36.4."
            })
        #expect(found.contains { $0.hasSuffix("than other visits by the same user on the same day, 95% 26.0 to 36.4.") })
        let none = lines(try SampleResults.why(named: "pay", candidates: candidates))
        let seen = "for half of the candidates one of 3.1 points would be seen 8 times in 10."
        #expect(none.contains("No difference that these visits could show; \(seen)"))
        var refused = try SampleResults.why(named: "pay", candidates: candidates)
        refused.refused = candidates[0]
        let start = "session.plan = pro allows no conclusion: too few users came both with it and without it; "
        #expect(lines(refused).contains("No difference that these visits could show; \(seen)"))
        #expect(lines(refused).contains { $0.hasPrefix(start) } && !none.contains { $0.hasPrefix(start) })
        #expect(HTMLReport().text(of: refused).contains("<bdi>session.plan = pro</bdi> allows no conclusion: too few users came"))
    }

    @Test func `without candidates, and without anybody, a sentence says why`() throws {
        let none = try SampleResults.why(named: "pay", candidates: [], leftOut: [0, 0, 0])
        #expect(lines(none)[1] == "Nothing was had and lacked by at least 5 each")
        #expect(none.section.remarks.first == "Nothing was had and lacked by at least 5 each.")
        for (who, converted) in [("Nobody", 0), ("Everybody", 40)] {
            let alike = try SampleResults.why(named: "pay", candidates: [], converted: converted, dropped: 40 - converted)
            #expect(lines(alike)[1] == "\(who) went on: there is nobody to compare them with")
            #expect(alike.section.remarks.first == "\(who) went on: there is nobody to compare them with.")
        }
        let nobody = try SampleResults.why(named: "pay", candidates: [], converted: 0, dropped: 0)
        #expect(lines(nobody)[0].hasPrefix("pay   0 visits, at step 1"))
        #expect(lines(nobody)[1] == "Nobody reached step 1 with the window left to go on")
        #expect(nobody.section.remarks.first == "Nobody reached step 1 with the window left to go on.")
        #expect(nobody.section.highlights.first { $0.label == "Share that went on" }?.value == .share(nil))
        for format in ReportFormats.texts() where format.name != "jsonl" { #expect(!format.text(of: nobody).isEmpty) }
    }

    @Test func `a page says in sentences how much may be believed`() throws {
        let remarks = try SampleResults.why(named: "pay").section.remarks
        #expect(
            remarks == [
                "Left out: 3 still open, 2 too near to the first event, 1 excluded.",
                "The first attempt at the fork counts, so the numbers differ from the funnel's. They name no causes.",
                "Left out for too many values to compare: 1 property.",
            ])
        let section = try SampleResults.why(named: "pay").section
        #expect(section.title == "pay: why step 2")
        let markdown = MarkdownReport().text(of: try SampleResults.why(named: "pay"))
        #expect(markdown.contains("Went on **60** · stayed behind **40** · share that went on **60.0%** · candidates **3**"))
        #expect(markdown.contains("| `props.pay = pay` | 75.0% | 25.0% | 9.00 | 4.50 – 18.0 |"))
        #expect(markdown.contains("| `props.pay = pay (nearly the same: session.pay = pay)` | 55 | 81.8% | 33.3% | +48.5 | +31.2 |"))
    }

    @Test func `JSON has counts and no shares, and null for an event's value`() throws {
        let text = JSONReport().text(of: try SampleResults.why(named: "pay"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(
            Set(object.keys) == [
                "schema", "definition", "step", "converted", "dropped", "left_out", "tested", "candidates", "findings", "input",
            ])
        #expect(object["left_out"] as? [String: Int] == ["open": 3, "early": 2, "excluded": 1])
        #expect([object["step"], object["converted"], object["dropped"], object["tested"]].map { $0 as? Int } == [2, 60, 40, 3])
        let candidates = try #require(object["candidates"] as? [[String: Any]])
        #expect(candidates.map { $0["kind"] as? String } == ["property", "event", "session"])
        #expect(candidates[1]["value"] is NSNull && candidates[0]["value"] as? String == "pay")
        #expect(candidates[0]["ci95"] as? [Double] == [4.5, 18] && candidates[0]["converted_with"] as? Int == 45)
        let finding = try #require((object["findings"] as? [[String: Any]])?.first)
        #expect(finding["of"] as? [[String: String]] == [["kind": "property", "name": "props.pay", "value": "pay"]])
        #expect(
            (finding["same"] as? [[String: String]])?.first?["kind"] == "session"
                && finding["adjusted_for"] as? [String] == ["day", "events_before"])
        #expect((finding["with"] as? [String: Double])?["entered"] == 55 && (finding["rest"] as? [String: Double])?["rate"] == 1.0 / 3)
        #expect(
            finding["holds"] as? Bool == true && finding["kind"] as? String == "more"
                && (finding["sentence"] as? String)?.hasPrefix("Visits with") == true)
        let definition = try #require(object["definition"] as? [String: Any])
        #expect(definition["look_back_ms"] as? Int == 60_000 && definition["min_count"] as? Int == 5)
    }

    @Test func `a spreadsheet has one row a candidate`() throws {
        let rows = try CommaSeparated.rows(CSVReport().text(of: try SampleResults.why(named: "pay")))
        #expect(rows.count == 4 && rows[1].prefix(7) == ["property", "props.pay", "pay", "45", "0.75", "10", "0.25"])
        #expect(rows[2].prefix(3) == ["event", "pay", ""])
    }
}
