import EventFiles
import Testing

@testable import Funnels

@Suite("Keys behind a bar, and funnels by the time of entry")
struct MembersAndTrendTests {
    private func accumulator(_ definition: FunnelDefinition, _ lines: [TestLine]) -> FunnelAccumulator {
        let plan = CompiledFunnel([definition], keepsKeys: true)
        var accumulator = FunnelAccumulator(plan)
        for line in lines {
            var batch = FunnelBatch(plan, expecting: 1)
            line.withHead { batch.take($0) }
            accumulator.take(batch)
        }
        return accumulator
    }

    private func members(_ selection: FunnelPeople.Selection, _ definition: FunnelDefinition, _ lines: [TestLine]) -> [String] {
        accumulator(definition, lines).members(selection, ReadResult()).members
            .map { "\($0.key) \($0.startMilliseconds)-\($0.lastMilliseconds) \($0.depth)" + ($0.value.map { " \($0)" } ?? "") }
    }

    private let lines = [
        TestLine("a", 10, user: "zoë"), TestLine("b", 12, user: "zoë"), TestLine("a", 5, user: "u"), TestLine("a", 5, user: "t"),
        TestLine("b", 7, user: "t"), TestLine("c", 9, user: "t"), TestLine("b", 1, user: "nobody"), TestLine("x", 1, user: "other"),
    ]

    @Test(
        "who reached a step, and who did not go on to it",
        arguments: [
            (FunnelPeople.Selection.reached(step: 1), ["t 5-9 3", "u 5-5 1", "zoë 10-12 2"]),
            (.reached(step: 2), ["t 5-9 3", "zoë 10-12 2"]),
            (.reached(step: 3), ["t 5-9 3"]), (.dropped(step: 2), ["u 5-5 1"]), (.dropped(step: 3), ["zoë 10-12 2"]),
            (.dropped(step: 1), []),
            (.reached(step: 4), []), (.reached(step: 0), []), (.dropped(step: 9), []),
        ])
    func selections(selection: FunnelPeople.Selection, expected: [String]) throws {
        #expect(members(selection, try FunnelDefinition(steps: FunnelStep.parse("a > b > c")), lines) == expected)
    }

    @Test func `keys that look alike stand in the order of their bytes, whichever line came first`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a"))
        let lines = ["zo\u{EB}", "zoe\u{308}"].map { TestLine("a", 1, user: $0) }
        for lines in [lines, lines.reversed()] {
            #expect(members(.reached(step: 1), definition, lines).map { Array($0.utf8)[2] } == [UInt8(ascii: "e"), 0xC3])
        }
    }

    @Test func `optional steps, attempts, groups and joined users`() throws {
        let optional = try FunnelDefinition(steps: FunnelStep.parse("a > b? > c"))
        let skipping = lines + [TestLine("c", 8, user: "u")]
        #expect(members(.reached(step: 2), optional, skipping) == ["t 5-9 3", "zoë 10-12 2"])
        #expect(members(.dropped(step: 3), optional, skipping) == ["zoë 10-12 2"] && members(.dropped(step: 2), optional, skipping) == [])
        let attempts = try FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: .attempts)
        #expect(members(.reached(step: 1), attempts, [TestLine("a", 2), TestLine("a", 1), TestLine("b", 3)]) == ["u 1-3 2", "u 2-2 1"])
        let grouped = try FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown(path: ["p"]))
        #expect(
            members(.reached(step: 1), grouped, [TestLine("a", 2, props: #"{"p":7}"#), TestLine("a", 3, user: "v")]) == [
                "u 2-2 1 7", "v 3-3 1",
            ])
        let joined = [
            TestLine("a", 1, user: "a-1"), TestLine("identified", 2, user: "ann", kind: .meta, props: #"{"anonymous":"a-1"}"#),
        ]
        #expect(members(.reached(step: 1), try FunnelDefinition(steps: FunnelStep.parse("a > b")), joined) == ["ann 1-1 1"])
    }

    @Test func `there are as many members as the bar says, and keys other than users have their texts`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .property(["org"]))
        let lines = (0..<300).map { TestLine($0 % 3 == 0 ? "b" : "a", Int64($0), props: #"{"org":"o\#($0 % 50)\u0041"}"#) }
        let result = TestPass.funnel(definition, lines)
        for step in 1...2 {
            let found = members(.reached(step: step), definition, lines)
            #expect(found.count == result.steps[step - 1].count && Set(found).count == found.count)
            #expect(found.allSatisfy { $0.contains("A ") })
        }
        #expect(members(.dropped(step: 2), definition, lines).count == result.steps[1].dropped)
    }

    private func tens(_ time: Int64) -> Range<Int64> {
        let start = (time >= 0 ? time : time - 9) / 10 * 10
        return start..<start + 10
    }

    @Test func `a row of a trend is the funnel of its starts`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 100)
        let lines = [
            TestLine("a", 5, user: "u"), TestLine("b", 25, user: "u"), TestLine("a", 9, user: "v"), TestLine("a", 31, user: "w"),
            TestLine("b", 33, user: "w"), TestLine("a", -1, user: "x"), TestLine("z", 105, user: "x"), TestLine("a", 34, user: "u"),
        ]
        let trend = accumulator(definition, lines).trends(ReadResult(), of: FunnelRun([definition]), period: tens)[0].trend
        #expect(trend.points.map(\.startMilliseconds) == [-10, 0, 30])
        // `u` starts again in the third period, and counts there too.
        #expect(trend.points.map(\.entered) == [1, 2, 2] && trend.points.map(\.converted) == [0, 1, 1])
        #expect(trend.points.map(\.rate) == [0, 0.5, 0.5] && trend.points.map(\.timeToConvert?.mean) == [nil, 20, 2])
        #expect(trend.points.map(\.windowOpen) == [0, 1, 1] && trend.points.map(\.isComplete) == [true, false, false])
        #expect(trend.points.map { $0.steps.map(\.count) } == [[1, 0], [2, 1], [2, 1]])
        #expect(trend.input.events == 8)
        #expect(trend.whole == TestPass.funnel(definition, lines) && trend.whole.entered == 4 && trend.whole.converted == 2)
    }

    @Test func `a trend of mature starts leaves out the other starts and counts them`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 20).counting(.mature)
        let lines = [
            TestLine("a", 5, user: "u"), TestLine("b", 25, user: "u"), TestLine("a", 12, user: "v"), TestLine("a", 18, user: "w"),
            TestLine("a", 31, user: "x"), TestLine("z", 37, user: "x"),
        ]
        let trend = accumulator(definition, lines).trends(ReadResult(), of: FunnelRun([definition]), period: tens)[0].trend
        #expect(trend.points.map(\.entered) == [1, 1, 0] && trend.points.map(\.leftOut) == [0, 1, 1])
        #expect(trend.points.map(\.rate) == [1, 0, nil] && trend.points.map(\.isComplete) == [true, false, false])
        #expect(trend.whole.entered == 2 && trend.whole.mature.leftOut == 2 && trend.whole.windowOpen == 0)
    }

    @Test func `without data there is no period and no key`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"))
        #expect(accumulator(definition, []).trends(ReadResult(), of: FunnelRun([definition]), period: tens)[0].trend.points.isEmpty)
        let members = accumulator(definition, []).members(.reached(step: 1), ReadResult())
        #expect(members.members.isEmpty && members.unseenNames.map(\.name) == ["a", "b"])
    }
}
