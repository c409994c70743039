import Testing

@testable import Funnels
@testable import Reports

@Suite("Why a key did not convert, in words")
struct ExplanationReportTests {
    @Test(
        "the sentence on an event that has to be added says whether the key has it elsewhere",
        arguments: [
            ("a > b > c", [3], 0b011, "it never had c"), ("a > b[x=1]", [2], 0b01, "it never had b[x=1]"),
            ("a > b > c", [3], 0b101, "c did not come after a in time"),
            ("a > b > c", [2, 3], 0b101, "it never had b; c did not come where it was needed"),
            ("a > *", [2], 0b11, "it had no further event in time"),
            ("a > * > c", [2, 3], 0b011, "it had no further event in time; it never had c"),
        ] as [(String, [Int], UInt32, String)])
    func added(steps: String, added: [Int], had: UInt32, expected: String) throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse(steps))
        expect(
            expected, of: definition, hadSteps: had,
            edits: added.map { .add(step: $0, name: definition.steps[$0 - 1].pattern.title, at: 0) })
    }

    @Test(
        "an event that had to come later came before a step, or too early, or the steps after it came too late",
        arguments: [
            ("c", 3, 1, .ordered, [], "c came before a, by 15ms"), ("a", 1, 1, .ordered, [], "the steps after a came too late, by 15ms"),
            ("a", 1, 2, .ordered, [], "the steps after b came too late for a, by 15ms"),
            ("a", 1, 1, .strict, [], "a came 15ms too early: 1970-01-01 00:00:00.015 UTC would have counted"),
            ("a", 1, 1, .ordered, ["x"], "a came 15ms too early: 1970-01-01 00:00:00.015 UTC would have counted"),
            ("a", 2, 1, .ordered, [], "a came 15ms too early: 1970-01-01 00:00:00.015 UTC would have counted"),
            ("c", 3, 1, .any, [], "c came 15ms too early: 1970-01-01 00:00:00.015 UTC would have counted"),
        ] as [(String, Int, Int, FunnelDefinition.Order, [String], String)])
    func moved(name: String, step: Int, reached: Int, order: FunnelDefinition.Order, excluded: [String], expected: String) throws {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b > c"), order: order, exclusions: excluded.map { try FunnelExclusion.parse($0) })
        let verdict = Explanation.Verdict(kind: .order, step: step, byMilliseconds: 15, wanted: nil)
        let event = Explanation.Event(id: nil, name: name, timeMilliseconds: name == "c" ? -1 : 0)
        expect(expected, of: definition, reached: reached, hadSteps: 0b111, verdict: verdict, edits: [.move(event, to: 15)])
    }

    @Test func `an event that came with the step before came before no step, whatever that step is called`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("(a|x) > b > a"))
        let verdict = Explanation.Verdict(kind: .order, step: 3, byMilliseconds: 15, wanted: nil)
        let event = Explanation.Event(id: nil, name: "a", timeMilliseconds: 0)
        expect(
            "a came 15ms too early: 1970-01-01 00:00:00.015 UTC would have counted", of: definition, hadSteps: 0b111, verdict: verdict,
            edits: [.move(event, to: 15)])
    }

    @Test func `a name of several words that run from right to left is isolated as one, with all its blanks`() throws {
        let explanation = Explanation(
            definition: try FunnelDefinition(steps: FunnelStep.parse("a > b")), key: "שלום  עולם", hasEvents: false, converted: false,
            reached: 0, chain: [], hadSteps: 0, openMilliseconds: nil, verdict: nil, edits: [], unsearchedEvents: nil,
            input: InputQuality(), unseenNames: [])
        for width in [nil, 30] as [Int?] {
            let text = TableReport(TextStyle(width: width)).text(of: explanation)
            #expect(text.hasPrefix("\u{2068}שלום  עולם\u{2069} has no event"), "\(text)")
        }
    }

    /// Expects the end of the sentence on a key that took step 1 and, with `reached` 2, step 2 in the same moment.
    private func expect(
        _ expected: String, of definition: FunnelDefinition, reached: Int = 1, hadSteps: UInt32,
        verdict: Explanation.Verdict? = nil, edits: [Explanation.Edit]
    ) {
        let chain = ["a", "b"].prefix(reached).enumerated().map { index, name in
            Explanation.Taken(step: index + 1, event: Explanation.Event(id: nil, name: name, timeMilliseconds: 0))
        }
        let explanation = Explanation(
            definition: definition, key: "u", hasEvents: true, converted: false, reached: reached, chain: chain, hadSteps: hadSteps,
            openMilliseconds: nil, verdict: verdict, edits: edits, unsearchedEvents: nil, input: InputQuality(), unseenNames: [])
        #expect(explanation.sentence { $0 }.hasSuffix("did not convert: \(expected)."), "\(explanation.sentence { $0 })")
    }
}
