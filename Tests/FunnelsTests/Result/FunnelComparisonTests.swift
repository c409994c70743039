import Basics
import Testing

@testable import Funnels

@Suite("Two times compared")
struct FunnelComparisonTests {
    /// A result of a time range with groups: each is a value, how many entered, and how many converted.
    private func result(
        _ since: Int64?, _ until: Int64?, starts: FunnelDefinition.Starts = .all, groups: [(String, Int, Int)] = [("x", 10, 5)],
        counting: FunnelDefinition.Counting = .users
    ) throws -> FunnelResult {
        var definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), windowMilliseconds: 10, counting: counting, breakdown: FunnelBreakdown(path: ["p"]),
            since: since, until: until)
        definition.starts = starts
        func steps(_ entered: Int, _ converted: Int) -> [FunnelResult.Step] {
            [(entered, entered), (converted, entered)].enumerated().map { place, counts in
                FunnelResult.Step(
                    index: place + 1, count: counts.0, dropped: 0, ofFirst: Double(counts.0) / Double(counts.1),
                    ofPrevious: Double(counts.0) / Double(counts.1), fromPrevious: nil, fromFirst: nil)
            }
        }
        return FunnelResult(
            definition: definition, steps: steps(groups.reduce(0) { $0 + $1.1 }, groups.reduce(0) { $0 + $1.2 }),
            groups: groups.map { .init(value: $0.0, steps: steps($0.1, $0.2)) }, windowOpen: 0, input: InputQuality(), unseenNames: [],
            mature: FunnelResult.Mature(untilMilliseconds: until.map { $0 - 3 }))
    }

    @Test(
        "lengths are known where both times have a beginning and an end",
        arguments: [
            (0, 100, 200, 300, [100, 100]), (0, 100, 200, 207, [100, 7]), (-50, 100, -300, -200, [150, 100]), (nil, 100, 200, 300, nil),
            (0, nil, 200, 300, nil), (0, 100, nil, 300, nil), (0, 100, 200, nil, nil), (.min, .max, 0, 1, nil),
        ] as [(Int64?, Int64?, Int64?, Int64?, [Int64]?)])
    func lengths(since: Int64?, until: Int64?, otherSince: Int64?, otherUntil: Int64?, expected: [Int64]?) throws {
        let comparison = FunnelComparison(result: try result(since, until), other: try result(otherSince, otherUntil))
        #expect(comparison.lengths.map { [$0.own, $0.other] } == expected)
    }

    @Test func `where only mature starts count, a time ends with the last of them`() throws {
        let comparison = FunnelComparison(result: try result(0, 100, starts: .mature), other: try result(200, 300))
        #expect(comparison.lengths.map { [$0.own, $0.other] } == [97, 100])
        // A range without mature starts has the length 0, not a negative one.
        let none = FunnelComparison(result: try result(0, 2, starts: .mature), other: try result(200, 300))
        #expect(none.lengths?.own == 0)
    }

    @Test func `groups of either time are compared by their value, those of this time first`() throws {
        let comparison = FunnelComparison(
            result: try result(0, 1, groups: [("x", 100, 60), ("y", 10, 1)]),
            other: try result(5, 6, groups: [("z", 4, 2), ("x", 100, 20)]))
        #expect(comparison.groups.map(\.value) == ["x", "y", "z"])
        #expect(comparison.groups.map { $0.difference == nil } == [false, true, true])
        let difference = try #require(comparison.groups[0].difference)
        #expect(difference.difference == ShareDifference(Share(60, of: 100), Share(20, of: 100)) && difference.pValue != nil)
    }

    @Test func `the cost of comparing groups grows with their number, not with its square`() throws {
        /// The least processor time of this thread in several runs: what else the machine does makes one dearer, never cheaper.
        func cost(_ count: Int) throws -> Int64 {
            let groups = (0..<count).map { ("v\($0)", 10, 5) }
            let comparison = FunnelComparison(result: try result(0, 1, groups: groups), other: try result(5, 6, groups: groups))
            var least = Int64.max
            for _ in 0..<3 {
                let start = systemNanoseconds(CLOCK_THREAD_CPUTIME_ID)
                _ = comparison.groups
                least = min(least, systemNanoseconds(CLOCK_THREAD_CPUTIME_ID) - start)
            }
            return least
        }
        // 16 times as many groups. If each were looked for among all others, they would cost 256 times as much.
        #expect(try cost(8_000) < cost(500) * 80)
    }

    @Test func `days that lie in both times count for the other time, and a time compared with itself is refused`() throws {
        var made = MadeVisits(seed: 5)
        made.come(200, on: 0..<14, people: 500) { _, day, _ in MadeVisits.logit(day < 7 ? 0.5 : 0.35) }
        let (whole, early, late) = (try made.result(on: 0..<14), try made.result(on: 0..<7), try made.result(on: 7..<14))
        let overlapping = FunnelComparison(result: whole, other: late).claim
        let apart = FunnelComparison(result: early, other: late).claim
        #expect(overlapping.kind == .rose && apart.kind == .rose && overlapping.visits == apart.visits)
        #expect(abs((overlapping.difference ?? 0) - (apart.difference ?? 1)) < 1e-9)
        // Nothing is left of a time that lies within the other.
        for (own, other) in [(late, late), (late, whole)] {
            let claim = FunnelComparison(result: own, other: other).claim
            #expect(claim.refused == .coverage && claim.kind == .none)
        }
    }

    @Test func `where everybody converts, no detectable size is named`() throws {
        var made = MadeVisits(seed: 6)
        made.come(50, on: 0..<14, people: 200) { _, _, _ in .infinity }
        let claim = FunnelComparison(result: try made.result(on: 7..<14), other: try made.result(on: 0..<7)).claim
        #expect(claim.kind == .none && claim.refused == .fewVisits && claim.detectable == nil)
    }

    @Test(arguments: [(2, 5, .fewDays), (1, 1, .fewDays), (2, 7, nil), (7, 8, nil)] as [(Int64, Int64, Claim.Refusal?)])
    func `users of two times are compared only if these have as many days of each weekday`(
        days: Int64, apart: Int64, refused: Claim.Refusal?
    ) throws {
        func covered(_ first: Int64, converted: Int) throws -> FunnelResult {
            let start = MadeVisits.start + first * MadeVisits.day
            let end = start + days * MadeVisits.day
            var result = try result(start, end, groups: [("x", 1000, converted)])
            result.coverage = Coverage(
                sinceMilliseconds: start, untilMilliseconds: end, coveredMilliseconds: end - start, holes: [],
                wholeDays: (0..<days).map { start + $0 * MadeVisits.day }, days: Int(days))
            return result
        }
        let claim = FunnelComparison(result: try covered(apart, converted: 500), other: try covered(0, converted: 300)).claim
        #expect(claim.refused == refused && claim.holds == (refused == nil))
    }

    @Test func `where attempts are counted, or nobody entered, there is no p-value`() throws {
        let attempts = FunnelComparison(
            result: try result(0, 1, groups: [("x", 100, 60)], counting: .attempts),
            other: try result(5, 6, groups: [("x", 100, 20)], counting: .attempts))
        #expect(attempts.rate?.difference.value != nil && attempts.rate?.pValue == nil)
        #expect(attempts.ofFirst.allSatisfy { $0?.pValue == nil } && attempts.groups.allSatisfy { $0.difference?.pValue == nil })
        let nobody = FunnelComparison(result: try result(0, 1, groups: [("x", 0, 0)]), other: try result(5, 6))
        #expect(nobody.rate == nil)
        #expect(FunnelComparison.difference(nil, 0.5) == nil && FunnelComparison.difference(0.5, nil) == nil)
        #expect(FunnelComparison.difference(0.25, 0.5) == -0.25)
    }
}
