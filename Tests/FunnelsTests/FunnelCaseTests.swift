import Testing

@testable import Funnels

@Suite("Cases of other products")
struct FunnelCaseTests {
    @Test("cases that need only what is built", arguments: FunnelCase.all.filter { $0.waitsFor == nil })
    func runs(_ testCase: FunnelCase) throws {
        let result = TestPass.funnel(try testCase.definition, try testCase.lines)
        #expect(result.steps.map(\.count) == testCase.expected.counts, "\(testCase.sourceFile)")
        for (step, seconds) in zip(result.steps, testCase.expected.avgS ?? []) {
            #expect(step.fromPrevious?.mean == seconds.map { $0 * 1000 }, "\(testCase.sourceFile)")
        }
        for (step, seconds) in zip(result.steps, testCase.expected.medianS ?? []) {
            #expect(step.fromPrevious?.p50 == seconds.map { $0 * 1000 }, "\(testCase.sourceFile)")
        }
        if let bins = testCase.expected.histogramS {
            // Bins are the HTML report's; here that as many keys are in them, and the first begins at the shortest time.
            let times = try #require(result.steps[1].fromFirst)
            #expect(Double(times.n) == bins.map { $0[1] }.reduce(0, +), "\(testCase.sourceFile)")
            #expect(times.p50 >= bins[0][0] * 1000 && times.p99 <= bins[bins.count - 1][0] * 1000)
        }
    }

    /// Whoever builds one of these parts sees this test fail and takes the cases out of the list: they run from then on.
    @Test func `cases that wait for a part that is not built are these`() {
        let waiting = FunnelCase.all.compactMap { testCase in testCase.waitsFor.map { "\(testCase.name): \($0)" } }
        #expect(
            waiting == [
                "attempt 1 expired clean, exclusion in attempt 2: exclusions (point 7)",
                "the deepest attempt is the excluded one: user is out: exclusions (point 7)",
                "exclusion only between steps 1 and 2 of 5: exclusions (point 7)",
                "exclusion only between steps 4 and 5 of 5: exclusions (point 7)",
                "strict: any other event between steps breaks the chain: --order strict (point 8)",
                "unordered, 4 steps: --order unordered (point 8)",
                "breakdown, last touch (last non-empty value): breakdowns (point 10)",
                "six users, strict_deduplication + strict_order: --compat clickhouse (point 14)",
                "one event, three equal steps, strict_increase: --compat clickhouse (point 14)",
                "same with strict_once + strict_increase: --compat clickhouse (point 14)",
            ])
        #expect(FunnelCase.all.count == 24 && FunnelCase.all.filter { $0.waitsFor == nil }.count == 14)
    }
}
