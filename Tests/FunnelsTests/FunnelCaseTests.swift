import Testing

@testable import Funnels

@Suite("Cases of other products")
struct FunnelCaseTests {
    @Test func `all cases are there`() {
        #expect(FunnelCase.all.count == 24 && Self.plainWindowFunnels.count == 4)
    }

    @Test("counts, times and groups are those that other products expect", arguments: FunnelCase.all)
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
            // A result has no bins: the expected bins hold as many keys, and p50 and p99 lie between the starts of the first and the last.
            let times = try #require(result.steps[1].fromFirst)
            #expect(Double(times.n) == bins.map { $0[1] }.reduce(0, +), "\(testCase.sourceFile)")
            #expect(times.p50 >= bins[0][0] * 1000 && times.p99 <= bins[bins.count - 1][0] * 1000)
        }
        if let groups = testCase.expected.groups {
            var found: [String: [Int]] = [:]
            for group in result.groups { found[group.value == FunnelBreakdown.none ? "" : group.value] = group.steps.map(\.count) }
            #expect(found == groups, "\(testCase.sourceFile)")
        }
    }

    private static let plainWindowFunnels = FunnelCase.all.filter { testCase in
        testCase.family == "windowFunnel" && testCase.semantics.modes ?? [] == []
            && Set(testCase.steps.map(\.name)).count == testCase.steps.count
    }

    @Test("without a mode windowFunnel agrees with the definition where the steps differ", arguments: plainWindowFunnels)
    func agrees(_ testCase: FunnelCase) throws {
        let compat = try testCase.definition
        let plain = try FunnelDefinition(steps: compat.steps, windowMilliseconds: compat.windowMilliseconds)
        #expect(TestPass.funnel(plain, try testCase.lines).steps.map(\.count) == testCase.expected.counts)
    }
}
