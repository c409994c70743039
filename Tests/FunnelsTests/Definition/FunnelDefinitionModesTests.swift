import Testing

@testable import Funnels

@Suite("What goes together in a definition")
struct FunnelDefinitionModesTests {
    private static let x = EventPattern(names: .oneOf(["x"]))
    private static let steps = [FunnelStep("a"), FunnelStep("b")]
    private static let withOptional = [FunnelStep("a"), FunnelStep(x, isOptional: true), FunnelStep("b")]

    /// The setting that a refusal names, and a definition that has it.
    private static let refused: [(String, @Sendable () throws -> FunnelDefinition)] = [
        ("the order strict", { try FunnelDefinition(steps: steps, order: .strict, compat: .clickhouse([])) }),
        ("the order any", { try FunnelDefinition(steps: steps, order: .any, compat: .clickhouse([])) }),
        ("exclusions", { try FunnelDefinition(steps: steps, exclusions: [FunnelExclusion(x)], compat: .clickhouse([])) }),
        ("optional steps", { try FunnelDefinition(steps: withOptional, compat: .clickhouse([])) }),
        ("a held property", { try FunnelDefinition(steps: steps, hold: ["sku"], compat: .clickhouse([])) }),
        ("counting attempts", { try FunnelDefinition(steps: steps, counting: .attempts, compat: .clickhouse([])) }),
        ("a step window", { try FunnelDefinition(steps: steps, stepWindowMilliseconds: 1, compat: .clickhouse([])) }),
        ("optional steps", { try FunnelDefinition(steps: withOptional, order: .any) }),
        ("a step window", { try FunnelDefinition(steps: steps, stepWindowMilliseconds: 1, order: .any) }),
        ("counting attempts", { try FunnelDefinition(steps: steps, order: .any, counting: .attempts) }),
        ("counting attempts", { try FunnelDefinition(steps: steps, order: .strict, counting: .attempts) }),
        ("between two steps", { try FunnelDefinition(steps: steps, order: .any, exclusions: [FunnelExclusion(x, steps: 1...2)]) }),
        ("after the last step, which is 2", { try FunnelDefinition(steps: steps, exclusions: [FunnelExclusion(x, steps: 1...3)]) }),
        ("the steps are 1 to 2", { try FunnelDefinition(steps: steps, breakdown: FunnelBreakdown(path: ["p"], attribution: .step(3))) }),
        ("by step 0", { try FunnelDefinition(steps: steps, breakdown: FunnelBreakdown(path: ["p"], attribution: .step(0))) }),
        ("-1 ms is negative", { try FunnelDefinition(steps: steps, stepWindowMilliseconds: -1) }),
        ("at most 32 exclusions", { try FunnelDefinition(steps: steps, exclusions: Array(repeating: FunnelExclusion(x), count: 33)) }),
    ]

    @Test("settings that exclude each other are refused in words", arguments: 0..<17)
    func refuses(place: Int) throws {
        let (words, make) = Self.refused[place]
        #expect {
            try make()
        } throws: { error in
            (error as? FunnelDefinitionError)?.description.contains(words) == true
        }
    }

    @Test func `all refusals are tried`() { #expect(Self.refused.count == 17) }

    @Test func `settings that go together are accepted`() throws {
        let breakdown = FunnelBreakdown(path: ["p"], attribution: .step(3))
        let definition = try FunnelDefinition(
            steps: Self.withOptional, stepWindowMilliseconds: 0, order: .strict, hold: ["sku"],
            exclusions: [FunnelExclusion(Self.x, steps: 1...3, spoils: true)], breakdown: breakdown, identify: false)
        #expect(definition.lastRequiredStep == 2 && definition.requiredStep(before: 2) == 0 && definition.requiredStep(before: 0) == 0)
        for key in [FunnelKey.session, .system, .property(["org"])] {
            _ = try FunnelDefinition(steps: Self.steps, key: key, breakdown: FunnelBreakdown(path: ["p"]), compat: .clickhouse([.once]))
        }
    }
}
