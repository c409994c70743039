import Foundation
import Testing

@testable import Funnels
@testable import Reports

/// What a report tells of a funnel that was asked for in an unusual way.
@Suite("Funnels in every mode, reported")
struct FunnelModesReportTests {
    private func everything(_ name: String = "x") throws -> FunnelDefinition {
        let x = EventPattern(names: .oneOf([name]), tests: [PropertyTest(path: ["p"], comparison: .less, value: "3")])
        return try FunnelDefinition(
            steps: FunnelStep.parse("a > b? > c"), windowMilliseconds: 3_600_000, stepWindowMilliseconds: 60_000, order: .strict,
            hold: ["sku", name], exclusions: [FunnelExclusion(x, steps: 1...2, spoils: true), FunnelExclusion(x)],
            breakdown: FunnelBreakdown(path: [name], attribution: .step(3), top: 4), identify: false)
    }

    private func result(_ definition: FunnelDefinition, values: [String]) -> FunnelResult {
        let all = SampleResults.funnel(definition, counts: [10, 4, 6], milliseconds: [1000, 2000])
        return FunnelResult(
            definition: definition, steps: all.steps, groups: values.map { FunnelResult.Group(value: $0, steps: all.steps) },
            windowOpen: 0, input: InputQuality(), unseenNames: [])
    }

    @Test func `JSON has all of the definition, and groups with the same steps`() throws {
        let text = JSONReport().text(of: result(try everything(), values: ["pro", "(none)"]))
        #expect(
            text.contains(
                #""window_ms":3600000,"step_window_ms":60000,"order":"strict","by":"user","ties":"any","count":"users","dedupe":"id","#
                    + #""hold":"props.sku.x","exclusions":[{"name":"x","filter":"p<3","from_step":1,"to_step":2,"spoils":true},"#
                    + #"{"name":"x","filter":"p<3","from_step":1,"to_step":3,"spoils":false}],"since_ms":null,"until_ms":null,"compat":null,"mature":false,"#
                    + #""breakdown":"props.x:step=3","top":4,"identify":false}"#))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let groups = try #require(object["groups"] as? [[String: Any]])
        #expect(groups.map { $0["value"] as? String } == ["pro", "(none)"])
        let steps = try #require(groups[0]["steps"] as? [[String: Any]])
        #expect(steps.map { $0["count"] as? Int } == [10, 4, 6] && steps.map { $0["name"] as? String } == ["a", "b", "c"])
        #expect((object["steps"] as? [NSDictionary]) == steps as [NSDictionary])
        let compat = try FunnelDefinition(steps: [FunnelStep("a")], compat: .clickhouse([.once, .order]))
        #expect(
            JSONReport().text(of: result(compat, values: [])).contains(#""compat":"clickhouse:strict_order+strict_once","mature":false}"#))
    }

    @Test func `the table's heading tells every mode, and groups stand below`() throws {
        let text = TableReport().text(of: result(try everything(), values: ["pro", "(none)"]))
        #expect(
            text.hasPrefix(
                "Funnel   10 users, window 1h from step 1, strict, at most 1m from step to step, one value of props.sku.x, "
                    + "without users whose deepest attempts all met x[p<3]@1-2, ended by x[p<3], anonymous ids not joined, "
                    + "same-millisecond events in any order\n"))
        #expect(text.contains("\nprops.x:step=3  entered   step 2  overall         95%\n"))
        #expect(
            text.contains(
                "\npro                  10    40.0%    60.0%  31.3–83.2%\n(none)               10    40.0%    60.0%  31.3–83.2%\n"))
        #expect(text.contains(" 2 b?  ") && text.contains("% of step 1") && !text.contains("of step 2"))
        let any = try FunnelDefinition(steps: FunnelStep.parse("a > b > c"), order: .any)
        #expect(TableReport().text(of: result(any, values: [])).contains("window 7d from the earliest step, any,"))
    }

    @Test func `in any order a row says how many steps it counts, and names no step that people need not have taken`() throws {
        let any = try FunnelDefinition(steps: FunnelStep.parse("view > cart[n>1] > pay"), order: .any)
        let found = result(any, values: [])
        let comparison = FunnelComparison(result: found, other: found)
        let people = FunnelPeople(definition: any, selection: .reached(step: 2), members: [], input: InputQuality(), unseenNames: [])
        #expect(TableReport().text(of: found).contains(" 1 any 1 of 3") && TableReport().text(of: found).contains(" 3 any 3 of 3"))
        #expect(MarkdownReport().text(of: found).contains("| 2 | any 2 of 3 | 4 |"))
        #expect(try CommaSeparated.rows(CSVReport().text(of: found)).dropFirst().map { Array($0[2...3]) }.contains(["pay", ""]))
        #expect(TableReport().text(of: comparison).contains(" 2 any 2 of 3 ") && HTMLReport().text(of: found).contains("any 2 of 3"))
        #expect(TableReport().text(of: people).contains("that reached step 2 (any 2 of 3)"))
        for one in [found, comparison, people] as [any Reportable] {
            let text = TableReport().text(of: one)
            #expect(!text.contains("cart") && !text.contains("pay"), "\(text)")
        }
        // The definition still lists the steps, and JSON keeps its keys.
        #expect(JSONReport().text(of: found).contains(#"{"index":3,"name":"pay","count":6"#))
        #expect(TableReport().text(of: result(try everything(), values: [])).contains(" 1 a "))
    }

    @Test("no line is wider than the terminal, whatever the names", arguments: [40, 50, 60, 80, 100, 140])
    func width(columns: Int) throws {
        let hostile = ["x", String(repeating: "long name ", count: 20), "\u{1B}[2J購入\u{202E}|=", "👩‍👩‍👧"]
        for name in hostile {
            let sample = result(try everything(name), values: hostile)
            let text = TableReport(TextStyle(width: columns)).text(of: sample)
            for line in text.split(separator: "\n") { #expect(TerminalText.width(of: String(line)) <= columns, "\(line)") }
            #expect(!text.unicodeScalars.contains { $0 != "\n" && TerminalText.acts($0) })
            #expect(text.contains("60.0%"))
        }
    }

    @Test(
        "what is counted is called by its name",
        arguments: [
            (.user, "10 users"), (.session, "10 sessions"), (.system, "10 systems"), (.property(["cart", "id"]), "10 by props.cart.id"),
        ] as [(FunnelKey, String)])
    func counted(key: FunnelKey, words: String) throws {
        let people = try FunnelDefinition(steps: FunnelStep.parse("a > b > c"), key: key)
        #expect(TableReport().text(of: result(people, values: [])).hasPrefix("Funnel   \(words), window 7d"))
        let attempts = try FunnelDefinition(steps: FunnelStep.parse("a > b > c"), key: key, counting: .attempts)
        #expect(TableReport().text(of: result(attempts, values: [])).hasPrefix("Funnel   10 attempts by \(key.description), window 7d"))
        let pairs = try FunnelDefinition(steps: people.steps, key: key, breakdown: FunnelBreakdown(path: ["p"], attribution: .all))
        #expect(TableReport().text(of: result(pairs, values: [])).hasPrefix("Funnel   10 pairs of \(key.description) and value, "))
    }

    @Test(
        "the heading names each bound of the starts that is set",
        arguments: [
            (nil, nil, nil), (0, nil, "starts since 1970-01-01 00:00:00"), (nil, 86_400_000, "starts until 1970-01-02 00:00:00"),
            (0, 86_400_000, "starts 1970-01-01 00:00:00 – 1970-01-02 00:00:00"),
        ] as [(Int64?, Int64?, String?)])
    func starts(since: Int64?, until: Int64?, words: String?) throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b > c"), since: since, until: until)
        let text = TableReport().text(of: result(definition, values: []))
        #expect(text.contains("starts ") == (words != nil))
        if let words { #expect(text.contains(", \(words)\n")) }
    }

    @Test func `keys that still had time and names that never occurred are remarked upon`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"))
        let steps = SampleResults.funnel(definition, counts: [4, 1], milliseconds: [1000]).steps
        func remarks(_ windowOpen: Int, _ unseen: [String]) -> [String] {
            let result = FunnelResult(
                definition: definition, steps: steps, groups: [], windowOpen: windowOpen, input: InputQuality(),
                unseenNames: unseen.map { UnseenName(name: $0, nearest: nil) })
            #expect(result.section.remarks.first == "The largest loss is at step 2: 3 (75.0% of those who were at step 1).")
            return Array(result.section.remarks.dropFirst())
        }
        #expect(remarks(0, []) == [])
        #expect(
            remarks(1_200, ["a"]) == [
                "1,200 that did not convert still had time when the data ended.", "1 name in the steps did not occur in the data.",
            ])
        #expect(remarks(0, ["a", "b"]) == ["2 names in the steps did not occur in the data."])
    }

    @Test func `the definition's facts are complete`() throws {
        let labels = try everything().facts.map(\.label)
        for label in ["Step window", "Held along a chain", "Removed by", "Ended by", "Breakdown", "Identified users"] {
            #expect(labels.contains(label), "\(label)")
        }
        #expect(try FunnelDefinition(steps: [FunnelStep("a")], counting: .attempts).facts.map(\.label).contains("Counted"))
        #expect(try FunnelDefinition(steps: [FunnelStep("a")], compat: .clickhouse([])).facts.map(\.label).contains("As counted by"))
    }
}
