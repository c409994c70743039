import Testing

@testable import Funnels

@Suite("Tally of starts")
struct StartTallyTests {
    @Test func `only values that have chains make groups`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a"), breakdown: FunnelBreakdown(path: ["v"]))
        var tally = StartTally(definition)
        let chain = FunnelChain(stepCount: 1)
        chain.set(depth: 1, times: [5], previous: [0])
        for group in [7, 0, 900, 7, 900, 7] as [UInt32] {
            tally.add(chain, group: group, StartSelection.Part(range: StartRange(definition), counts: .all))
        }
        let (groups, indices) = tally.shownGroups((1...1000).map { Array("v\($0)".utf8) })
        #expect(groups.map(\.value) == ["v7", "v900", "(none)"] && groups.map { $0.steps[0].count } == [3, 2, 1])
        #expect(indices == [7: 0, 900: 1, 0: 2])
    }
}
