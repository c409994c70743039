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
        let taken = Explanation.Taken(step: 1, event: Explanation.Event(id: nil, name: "a", timeMilliseconds: 0))
        let explanation = Explanation(
            definition: definition, key: "u", hasEvents: true, converted: false, reached: 1, chain: [taken], hadSteps: had,
            openMilliseconds: nil, verdict: nil,
            edits: added.map { .add(step: $0, name: definition.steps[$0 - 1].pattern.title, at: 0) }, unsearchedEvents: nil,
            input: InputQuality(), unseenNames: [])
        #expect(explanation.sentence { $0 }.hasSuffix("did not convert: \(expected)."), "\(explanation.sentence { $0 })")
    }
}
