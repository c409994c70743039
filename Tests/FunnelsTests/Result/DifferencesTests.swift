import Testing
import TrackingEvents

@testable import Funnels

@Suite("Differences between groups and times")
struct DifferencesTests {
    /// A result with groups of so many entered and converted, in memory.
    private func result(
        _ groups: [(String, Int, Int)], attribution: FunnelBreakdown.Attribution = .first,
        counting: FunnelDefinition.Counting = .users
    ) throws -> FunnelResult {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), counting: counting, breakdown: FunnelBreakdown(path: ["p"], attribution: attribution))
        func steps(_ entered: Int, _ converted: Int) -> [FunnelResult.Step] {
            let share = entered == 0 ? nil : Double(converted) / Double(entered)
            return [
                FunnelResult.Step(
                    index: 1, count: entered, dropped: 0, ofFirst: entered == 0 ? nil : 1, ofPrevious: entered == 0 ? nil : 1,
                    fromPrevious: nil,
                    fromFirst: nil),
                FunnelResult.Step(
                    index: 2, count: converted, dropped: entered - converted, ofFirst: share, ofPrevious: share, fromPrevious: nil,
                    fromFirst: nil),
            ]
        }
        return FunnelResult(
            definition: definition, steps: steps(groups.reduce(0) { $0 + $1.1 }, groups.reduce(0) { $0 + $1.2 }),
            groups: groups.map { FunnelResult.Group(value: $0.0, steps: steps($0.1, $0.2)) }, windowOpen: 0, input: InputQuality(),
            unseenNames: [])
    }

    @Test func `a group is compared with all others together, those without a value left out`() throws {
        let found = try result([("x", 100, 40), ("y", 200, 120), ("(none)", 50, 0), ("(other)", 100, 60)]).versusRest
        #expect(found.map { $0 == nil } == [false, false, true, true])
        #expect(found[0]?.difference == ShareDifference(Share(40, of: 100), Share(180, of: 300)))
        #expect(found[1]?.difference == ShareDifference(Share(120, of: 200), Share(100, of: 200)))
        #expect(found[0]?.pValue == found[0]?.difference?.pValue)
        #expect(found.map { $0?.qValue } == FalseDiscovery.qValues(found.map { $0?.pValue }))
    }

    @Test(arguments: [
        (FunnelBreakdown.Attribution.last, FunnelDefinition.Counting.users), (.all, .users), (.step(2), .users), (.first, .attempts),
    ])
    func `where keys or groups are not independent there is no p-value and no finding`(
        _ attribution: FunnelBreakdown.Attribution, _ counting: FunnelDefinition.Counting
    ) throws {
        let found = try result([("x", 1000, 40), ("y", 1000, 600)], attribution: attribution, counting: counting)
        #expect(found.versusRest.allSatisfy { $0?.difference != nil && $0?.pValue == nil && $0?.qValue == nil } && found.findings.isEmpty)
    }

    @Test func `a single group is compared with nothing, an empty one differs by nothing`() throws {
        #expect(try result([("x", 100, 40)]).versusRest == [nil] && result([]).versusRest.isEmpty)
        #expect(try result([("x", 100, 40), ("(none)", 10, 3)]).versusRest == [nil, nil])
        let empty = try result([("x", 100, 40), ("y", 0, 0)])
        #expect(empty.versusRest.allSatisfy { $0?.difference == nil && $0?.qValue == nil } && empty.findings.isEmpty)
    }

    @Test func `one bad group does not make the healthy ones remarkable`() throws {
        let found = try result([("ok1", 4000, 2000), ("ok2", 4000, 2010), ("bad", 4000, 1000), ("ok3", 4000, 1990)])
        // Each of them differs from a rest that has the bad one in it.
        #expect(found.versusRest.allSatisfy { ($0?.qValue ?? 1) < 0.05 })
        #expect(found.findings.map(\.value) == ["bad"])
        #expect(found.findings.first?.difference == ShareDifference(Share(1000, of: 4000), Share(6000, of: 12_000)))
        let two = try result([("ok1", 4000, 2000), ("bad", 4000, 1000), ("good", 4000, 3000), ("ok2", 4000, 2010)])
        #expect(Set(two.findings.map(\.value)) == ["bad", "good"])
    }

    /// Data sets of five groups of 4,000 users each, all alike or one of them five points worse.
    private func claims(_ sets: Int, planted: Double, seed: UInt64) throws -> [[String]] {
        var random = SeededRandom(seed: seed)
        return try (0..<sets).map { _ in
            let groups = (0..<5).map { group in
                let rate = 0.4 - (group == 3 ? planted : 0)
                return ("g\(group)", 4000, (0..<4000).count { _ in Double.random(in: 0..<1, using: &random) < rate })
            }
            return try result(groups).findings.map(\.value)
        }
    }

    @Test func `of 200 data sets without an effect at most 5 percent of the groups are claimed to differ`() throws {
        let found = try claims(200, planted: 0, seed: 21)
        #expect(found.joined().count <= 50 && found.count { !$0.isEmpty } <= 15)
    }

    @Test func `of 200 planted effects of 5 points at least 90 percent are found, and few others claimed`() throws {
        let found = try claims(200, planted: 0.05, seed: 22)
        #expect(found.count { $0.first == "g3" } >= 180)
        #expect(found.joined().count { $0 != "g3" } <= 20)
    }

    @Test func `times are compared as a whole, step by step and group by group`() throws {
        let (own, other) = (try result([("x", 400, 100), ("y", 400, 200)]), try result([("y", 300, 150), ("z", 500, 250)]))
        let comparison = FunnelComparison(result: own, other: other)
        #expect(comparison.rate?.difference == ShareDifference(Share(300, of: 800), Share(400, of: 800)))
        #expect(comparison.ofFirst.map { $0?.difference.value } == [0, -0.125])
        #expect(comparison.groups.map(\.value) == ["x", "y", "z"])
        #expect(comparison.groups.map { $0.difference == nil } == [true, false, true])
        #expect(comparison.groups[1].difference?.pValue == 1)
        let attempts = FunnelComparison(
            result: try result([("x", 400, 100)], counting: .attempts), other: try result([("x", 400, 200)], counting: .attempts))
        #expect(attempts.rate?.difference.value == -0.25 && attempts.rate?.pValue == nil)
    }
}
