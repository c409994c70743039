import Foundation
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Mature starts")
struct MaturityTests {
    private static func lines(_ random: inout SeededRandom, _ count: Int) -> [TestLine] {
        (0..<count).map { number in
            TestLine(
                ["a", "b", "c", "x"].randomElement(using: &random)!, .random(in: 0...90, using: &random),
                user: "u\(Int.random(in: 0..<6, using: &random))",
                props: #"{"p":"\#(["", "m", "n"].randomElement(using: &random)!)"}"#)
        }
    }

    @Test("the mature result is the funnel whose starts end a window before the data", arguments: GeneratedPropertiesTests.modes)
    func matureIsUntil(mode: GeneratedPropertiesTests.Mode) throws {
        var random = SeededRandom(seed: 77)
        var leftOut = 0
        // `LOOPTRAIL_ROUNDS` sets another number of rounds.
        for _ in 0..<(ProcessInfo.processInfo.environment["LOOPTRAIL_ROUNDS"].flatMap { Int($0) } ?? 20) {
            let lines = Self.lines(&random, Int.random(in: 1...40, using: &random))
            let steps = try FunnelStep.parse(["a > b", "a > b > c", "a > a > b", "a"].randomElement(using: &random)!)
            let window = Int64.random(in: 0...60, using: &random)
            let definition = try mode.make(steps, window)
            let end = lines.map(\.time).max()!
            // From the words of the definition, not from the engine.
            let step = definition.stepWindowMilliseconds.map { $0 * Int64(steps.count - 1) } ?? window
            let until = steps.count == 1 ? nil : end - min(window, step) + 1
            let (all, mature) = (TestPass.funnel(definition, lines), TestPass.funnel(definition.counting(.mature), lines))
            let expected = TestPass.funnel(try definition.with(since: nil, until: until), lines)
            #expect(mature.steps == expected.steps && mature.groups == expected.groups && mature.windowOpen == 0)
            #expect(mature.mature == all.mature && all.mature.untilMilliseconds == until)
            #expect(all.mature.entered == expected.entered && all.mature.converted == expected.converted)
            #expect(all.mature.leftOut == all.entered - expected.entered)
            leftOut += all.mature.leftOut
        }
        #expect(leftOut > 0)
    }

    @Test func `mature starts end with the range or a window before the data, and a window that ends with the data has ended`() throws {
        let steps = try FunnelStep.parse("a > b")
        let lines = [TestLine("a", 10, user: "u"), TestLine("a", 11, user: "v"), TestLine("z", 20, user: "w")]
        func mature(_ until: Int64?) throws -> FunnelResult.Mature {
            TestPass.funnel(try FunnelDefinition(steps: steps, windowMilliseconds: 10, until: until), lines).mature
        }
        #expect(try mature(nil) == FunnelResult.Mature(untilMilliseconds: 11, entered: 1, leftOut: 1))
        #expect(try mature(11) == FunnelResult.Mature(untilMilliseconds: 11, entered: 1))
        #expect(try mature(9) == FunnelResult.Mature(untilMilliseconds: 9))
        #expect(try mature(15) == FunnelResult.Mature(untilMilliseconds: 11, entered: 1, leftOut: 1))
    }

    @Test func `the data's end can be given, before and after its last event`() throws {
        var definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 10)
        let lines = [TestLine("a", 10, user: "u"), TestLine("a", 15, user: "v"), TestLine("b", 16, user: "v")]
        #expect(TestPass.funnel(definition, lines).mature.leftOut == 2 && TestPass.funnel(definition, lines).windowOpen == 1)
        definition.dataEnd = 22
        let result = TestPass.funnel(definition, lines)
        #expect(result.mature.entered == 1 && result.windowOpen == 0 && result.dataEnd?.milliseconds == 22)
        definition.dataEnd = 100
        #expect(TestPass.funnel(definition, lines).mature.leftOut == 0)
    }

    @Test func `a start that is left out as not mature has time, wherever the data are said to end`() throws {
        var random = SeededRandom(seed: 37)
        // Each user begins once, and goes on when the window is long over.
        let lines = (0..<40).flatMap { number -> [TestLine] in
            let time = Int64.random(in: 0...100, using: &random)
            return [TestLine("a", time, user: "u\(number)"), TestLine("b", time + 50, user: "u\(number)")]
        }
        let (steps, optional) = (try FunnelStep.parse("a > b"), try FunnelStep.parse("a > c? > b"))
        let none = [try FunnelExclusion.parse("none")]
        let definitions = [
            try FunnelDefinition(steps: steps, windowMilliseconds: 10),
            try FunnelDefinition(steps: steps, windowMilliseconds: 10, exclusions: none),
            try FunnelDefinition(steps: optional, windowMilliseconds: 10),
            try FunnelDefinition(steps: steps, windowMilliseconds: 10, stepWindowMilliseconds: 5),
            try FunnelDefinition(steps: steps, windowMilliseconds: 10, order: .strict),
            try FunnelDefinition(steps: steps, windowMilliseconds: 10, counting: .visits),
            try FunnelDefinition(steps: steps, windowMilliseconds: 10, counting: .visits, exclusions: none),
            try FunnelDefinition(steps: steps, windowMilliseconds: 10, counting: .attempts),
            try FunnelDefinition(steps: steps, windowMilliseconds: 10, compat: .clickhouse([])),
        ]
        for var definition in definitions {
            for end in [-5, 30, 55, 100, 160] as [Int64] {
                definition.dataEnd = end
                let result = TestPass.funnel(definition, lines)
                #expect(result.entered == 40 && result.windowOpen == result.mature.leftOut, "\(definition), \(end)")
            }
        }
    }

    @Test func `where no start is mature there is no result, but a shorter window`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b")).counting(.mature)
        let result = TestPass.funnel(definition, [TestLine("a", 10), TestLine("b", 100_000), TestLine("z", 120_010)])
        #expect(result.entered == 0 && result.rate == nil && result.mature.leftOut == 1 && result.hasNoMatureStart)
        #expect(result.shorterWindow == Int64(120_000))
    }

    @Test(
        "a shorter window is round, and holds 99 of 100 times to convert",
        arguments: [
            (1000, 3_600_000, 60_000), (60_001, 3_600_000, 120_000), (3_600_000, 3_600_000, nil), (90_000_000, 604_800_000, 172_800_000),
        ]
            as [(Int64, Int64, Int64?)])
    func rounding(time: Int64, window: Int64, expected: Int64?) throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: window)
        for definition in [definition, definition.counting(.mature)] {
            let lines = [TestLine("a", 0), TestLine("b", time), TestLine("z", window)]
            #expect(TestPass.funnel(definition, lines).shorterWindow == expected)
            #expect(TestPass.funnel(definition, [lines[0], lines[1]]).shorterWindow == nil, "with it no start would be mature either")
        }
    }

    @Test(
        "a start is mature after the window, or after all step windows if they end sooner",
        arguments: [
            ("a", 100, nil, 0), ("a", 100, 30, 0), ("a > b", 100, nil, 100), ("a > b", 100, 30, 30), ("a > b", 30, 100, 30),
            ("a > b > c", 100, 30, 60), ("a > b > c", 60, 30, 60), ("a > b? > c", 100, 0, 0), ("a > b > c", 100, .max, 100),
        ] as [(String, Int64, Int64?, Int64)])
    func lengths(steps: String, window: Int64, stepWindow: Int64?, expected: Int64) throws {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse(steps), windowMilliseconds: window, stepWindowMilliseconds: stepWindow)
        #expect(definition.millisecondsToMature == expected)
        let isSingle = definition.steps.count == 1
        #expect(definition.matureUntil(dataEnd: 1000) == (isSingle ? nil : 1001 - expected))
        // The first and the last possible time overflow nothing.
        let (first, last) = (expected == 0 ? Int64.min + 1 : Int64.min, Int64.max - max(expected, 1) + 1)
        #expect(definition.matureUntil(dataEnd: .min) == (isSingle ? nil : first))
        #expect(definition.matureUntil(dataEnd: .max) == (isSingle || expected == 0 ? nil : last))
    }

    @Test(
        "a result is mostly open where more than a fifth of those that did not convert still have time",
        arguments: [(10, 0, 2, false), (10, 0, 3, true), (10, 5, 1, false), (10, 5, 2, true), (10, 10, 0, false), (0, 0, 0, false)])
    func mostlyOpen(entered: Int, converted: Int, open: Int, isMostlyOpen: Bool) throws {
        let steps = [entered, converted].enumerated().map {
            FunnelResult.Step(
                index: $0 + 1, count: $1, dropped: 0, ofFirst: nil, ofPrevious: nil, fromPrevious: nil, fromFirst: nil)
        }
        let result = FunnelResult(
            definition: try FunnelDefinition(steps: FunnelStep.parse("a > b")), steps: steps, windowOpen: open, input: InputQuality(),
            unseenNames: [])
        #expect(result.isMostlyOpen == isMostlyOpen)
    }

    @Test(
        "a period is complete if it lies in the funnel's time and all its starts are mature",
        arguments: [
            ("a > b", nil, nil, 0..<91, true), ("a > b", nil, nil, 0..<92, false), ("a", nil, nil, 0..<101, true),
            ("a", nil, nil, 0..<102, false),
            ("a > b", 10, nil, 10..<20, true), ("a > b", 10, nil, 9..<20, false), ("a > b", nil, 50, 40..<50, true),
            ("a > b", nil, 50, 40..<51, false),
        ] as [(String, Int64?, Int64?, Range<Int64>, Bool)])
    func periods(steps: String, since: Int64?, until: Int64?, period: Range<Int64>, isComplete: Bool) throws {
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse(steps), windowMilliseconds: 10, since: since, until: until)
        let lines = [TestLine("a", 15), TestLine("z", 100)]
        #expect(TestPass.funnel(definition, lines).isComplete(period) == isComplete)
        #expect(!TestPass.funnel(definition, []).isComplete(period), "without data nothing is over")
    }
}
