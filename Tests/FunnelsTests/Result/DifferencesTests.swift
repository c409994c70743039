import Testing
import TrackingEvents

@testable import Funnels

@Suite("Differences between groups and times")
struct DifferencesTests {
    /// A result with groups, made in memory: each is a value, how many entered, and how many converted.
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
        // Nothing is claimed where users are counted.
        #expect(found.allSatisfy { $0?.claim == nil } && found[0]?.interval == found[0]?.difference?.interval)
        #expect(found[0]?.isOfDifference == true)
    }

    @Test func `where one user counts more than once, a group has the interval of its claim, or none`() throws {
        var visits = try result([("x", 100, 40), ("y", 200, 120)], counting: .visits)
        #expect(visits.versusRest.allSatisfy { $0?.difference != nil && $0?.interval == nil })
        var claim = Claim()
        (claim.difference, claim.interval) = (-0.2, ConfidenceInterval(-0.45, 0.05))
        visits.groupClaims = [claim, nil]
        #expect(visits.versusRest.map { $0?.interval } == [ConfidenceInterval(-0.45, 0.05), nil])
        #expect(visits.versusRest.allSatisfy { $0?.isOfDifference == false })
        #expect(try result([("x", 100, 40), ("y", 200, 120)], counting: .attempts).versusRest.allSatisfy { $0?.interval == nil })
    }

    @Test func `a single group is compared with nothing, and an empty one has no difference`() throws {
        #expect(try result([("x", 100, 40)]).versusRest == [nil] && result([]).versusRest.isEmpty)
        #expect(try result([("x", 100, 40), ("(none)", 10, 3)]).versusRest == [nil, nil])
        let empty = try result([("x", 100, 40), ("y", 0, 0)])
        #expect(empty.versusRest.allSatisfy { $0?.difference == nil && $0?.claim == nil } && empty.findings.isEmpty)
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
