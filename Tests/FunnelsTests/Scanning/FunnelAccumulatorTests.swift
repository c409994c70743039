import Testing
import TrackingEvents

@testable import Funnels

@Suite("Funnels over batches")
struct FunnelAccumulatorTests {
    private func definition(_ steps: String, window: Int64 = 100, key: FunnelKey = .user) throws -> FunnelDefinition {
        try FunnelDefinition(steps: FunnelStep.parse(steps), windowMilliseconds: window, key: key)
    }

    @Test func `counts, shares and times of the definition's sample`() throws {
        let lines =
            ["1", "2", "3", "4"].map { TestLine("a", 0, user: $0) } + [TestLine("b", 1000, user: "1"), TestLine("b", 1000, user: "3")]
        let result = TestPass.funnel(try definition("a > b", window: 3_600_000), lines)
        #expect(result.steps.map(\.count) == [4, 2] && result.steps.map(\.dropped) == [0, 2])
        #expect(result.steps.map(\.ofFirst) == [1, 0.5] && result.steps.map(\.ofPrevious) == [1, 0.5])
        #expect(result.entered == 4 && result.converted == 2 && result.rate == 0.5)
        #expect(result.steps[0].fromFirst == nil && result.steps[0].fromPrevious == nil)
        let time = try #require(result.timeToConvert)
        #expect(time.n == 2 && time.mean == 1000 && time.p50 == 1000 && time.p99 == 1000)
        #expect(result.steps[1].fromPrevious == time)
        #expect(result.largestLoss?.index == 2)
        #expect(result.input.events == 6 && result.input.firstMilliseconds == 0 && result.input.lastMilliseconds == 1000)
    }

    @Test func `no data gives zeros and no shares`() throws {
        let result = TestPass.funnel(try definition("a > b"), [])
        #expect(result.steps.map(\.count) == [0, 0] && result.rate == nil && result.timeToConvert == nil && result.largestLoss == nil)
        #expect(result.steps.allSatisfy { $0.ofFirst == nil && $0.ofPrevious == nil && $0.fromFirst == nil })
        #expect(result.input.firstMilliseconds == nil && result.windowOpen == 0)
        #expect(result.unseenNames == [UnseenName(name: "a", nearest: nil), UnseenName(name: "b", nearest: nil)])
    }

    @Test func `the times of a step count from the step before and from the first step`() throws {
        let result = TestPass.funnel(
            try definition("a > b > c"),
            [TestLine("a", 0), TestLine("b", 10), TestLine("c", 40), TestLine("a", 5, user: "v"), TestLine("b", 9, user: "v")])
        #expect(result.steps.map(\.count) == [2, 2, 1])
        #expect(result.steps[1].fromPrevious?.mean == 7 && result.steps[1].fromFirst?.n == 2)
        #expect(result.steps[2].fromPrevious?.mean == 30 && result.steps[2].fromFirst?.mean == 40)
    }

    @Test func `of events with one id the first that is read counts, wherever they stand`() throws {
        let lines = [
            TestLine("a", 0, id: "1"), TestLine("a", 0, id: "1"), TestLine("b", 5, id: "2"), TestLine("x", 6, id: "1"),
            TestLine("b", 7, id: "2"),
        ]
        let definition = try definition("a > b > b")
        for batchSize in 1...5 {
            let result = TestPass.funnel(definition, lines, batchSize: batchSize)
            #expect(result.steps.map(\.count) == [1, 1, 0] && result.input.duplicates == 3 && result.input.events == 5)
        }
        let withoutIDs = lines.map { TestLine($0.name, $0.time) }
        let result = TestPass.funnel(definition, withoutIDs)
        #expect(result.steps.map(\.count) == [1, 1, 1] && result.input.duplicates == 0)
    }

    @Test(
        "each kind of key groups by its own field, and events without it are counted, whatever their name",
        arguments: [(FunnelKey.user, [2, 1], 1), (.session, [1, 0], 3), (.system, [1, 1], 2)])
    func keys(key: FunnelKey, counts: [Int], withoutKey: Int) throws {
        let lines = [
            TestLine("a", 0, user: "u", session: "s", system: "Shop"), TestLine("b", 1, user: "u", system: "Shop"),
            TestLine("a", 2, user: "v", system: "Shop"), TestLine("x", 3, user: "", session: "t", id: "1"),
            TestLine("b", 4, user: "u"), TestLine("x", 3, user: "", session: "t", id: "1"),
        ]
        let result = TestPass.funnel(try definition("a > b", key: key), lines)
        #expect(result.steps.map(\.count) == counts && result.input.withoutKey == withoutKey)
    }

    @Test func `meta and timing lines are not events and take no step`() throws {
        let lines = [
            TestLine("a", 0, sequence: 1, kind: .meta), TestLine("a", 1, kind: .timing), TestLine("a", 2), TestLine("b", 3, kind: .meta),
        ]
        let result = TestPass.funnel(try definition("* > *"), lines)
        #expect(result.steps.map(\.count) == [1, 0] && result.input.events == 1 && result.input.lastMilliseconds == 2)
        #expect(TestPass.funnel(try definition("b"), lines).unseenNames.map(\.name) == ["b"])
    }

    @Test func `sequence gaps count the numbers of every line`() throws {
        let lines = [
            TestLine("session_started", 0, session: "s", sequence: 1, kind: .meta), TestLine("a", 0, session: "s", sequence: 2),
            TestLine("a", 1, session: "s", sequence: 5), TestLine("a", 1, session: "t", sequence: 9), TestLine("a", 1, sequence: 50),
        ]
        #expect(TestPass.funnel(try definition("a"), lines).input.sequenceGaps == 2)
    }

    @Test func `keys that may still convert are counted`() throws {
        let lines = [
            TestLine("a", 0, user: "closed"), TestLine("a", 50, user: "open"), TestLine("a", 60, user: "converted"),
            TestLine("b", 70, user: "converted"), TestLine("a", 0, user: "again"), TestLine("a", 90, user: "again"),
            TestLine("a", 10, user: "edge"),
            TestLine("x", 110, user: "end"),
        ]
        #expect(TestPass.funnel(try definition("a > b", window: 100), lines).windowOpen == 2)
        #expect(TestPass.funnel(try definition("a > b", window: 101), lines).windowOpen == 3)
    }

    @Test func `a name that did not occur is told, with the nearest that did`() throws {
        let lines = [TestLine("cart_added", 0), TestLine("paid", 1)]
        let result = TestPass.funnel(try definition("(cart_aded | paid | refund) > cart_aded > *"), lines)
        #expect(result.unseenNames == [UnseenName(name: "cart_aded", nearest: "cart_added"), UnseenName(name: "refund", nearest: nil)])
    }

    @Test func `several funnels in one pass give what each gives alone`() throws {
        var random = SeededRandom(seed: 17)
        let lines = randomLines(400, &random)
        let definitions = [
            try definition("a > b > c"), try definition("c > b", window: 3, key: .session), try definition("* > a", key: .system),
            try definition("(a|b) > c > c", window: 8),
        ]
        let together = TestPass.funnels(definitions, lines, batchSize: 37)
        #expect(together == definitions.map { TestPass.funnel($0, lines) })
    }

    @Test func `funnels whose texts only look alike are counted apart`() throws {
        // Both are an é: one scalar, or an e and an accent.
        let texts = ["\u{E9}", "e\u{301}"]
        let lines = texts.enumerated().flatMap { place, text in
            let began = TestLine("session_started", 0, session: text, kind: .meta, props: "{\"\(text)\":1}")
            return [began] + (0...place).map { TestLine(text, 1, user: "\(place) \($0)", session: text, props: "{\"\(text)\":\($0)}") }
        }
        func counted(_ make: (String) throws -> FunnelDefinition) throws -> [Int] {
            TestPass.funnels(try texts.map(make), lines).map(\.entered)
        }
        func asking(_ text: String, _ source: PropertySource) -> [FunnelStep] {
            let test = PropertyTest(path: [text], in: source, comparison: .greaterOrEqual, value: "0")
            return [FunnelStep(EventPattern(names: .any, tests: [test]))]
        }
        #expect(try counted { try FunnelDefinition(steps: [FunnelStep($0)]) } == [1, 2])
        #expect(try counted { try FunnelDefinition(steps: asking($0, .event)) } == [1, 2])
        #expect(try counted { try FunnelDefinition(steps: asking($0, .session)) } == [1, 2])
        #expect(try counted { try FunnelDefinition(steps: FunnelStep.parse("*"), key: .property([$0])) } == [1, 2])
    }

    // MARK: - Properties that hold for any data

    private func randomLines(_ count: Int, _ random: inout SeededRandom) -> [TestLine] {
        (0..<count).map { number in
            TestLine(
                ["a", "b", "c", "d"].randomElement(using: &random)!, .random(in: 0...60, using: &random),
                user: "u\(Int.random(in: 0...25, using: &random))",
                session: "s\(Int.random(in: 0...40, using: &random))", sequence: Int64(number % 50 + 1), id: "id\(number)",
                system: Bool.random(using: &random) ? "x" : "")
        }
    }

    @Test("counts and times are those of the definition's text", arguments: 0..<4)
    func agreesWithTheOracle(seed: UInt64) throws {
        var random = SeededRandom(seed: 900 + seed)
        let text = ["a > b > c", "a > b > a > c", "* > (a|b) > b", "(a|c) > * > c > c"][Int(seed)]
        let definition = try definition(text, window: 9)
        let matcher = StepMatcher(definition)
        let lines = (0..<600).map { _ in
            TestLine(
                ["a", "b", "c", "d"].randomElement(using: &random)!, .random(in: 0...40, using: &random),
                user: "u\(Int.random(in: 0...90, using: &random))")
        }
        let byUser = Dictionary(grouping: lines, by: \.user).values.map { lines in
            lines.map { StepEvent(time: $0.time, steps: UInt32(truncatingIfNeeded: matcher.steps(named: Array($0.name.utf8)))) }.filter {
                $0.steps != 0
            }
        }
        let chains = byUser.map { FunnelOracle.best($0, steps: definition.steps.count, window: 9) }
        let result = TestPass.funnel(definition, lines, batchSize: 50)
        for step in definition.steps.indices {
            let reached = chains.filter { $0.count > step }
            #expect(result.steps[step].count == reached.count)
            guard step > 0 else { continue }
            var fromFirst = reached.map { $0[step] - $0[0] }
            var fromPrevious = reached.map { $0[step] - $0[step - 1] }
            #expect(result.steps[step].fromFirst == Distribution(sorting: &fromFirst))
            #expect(result.steps[step].fromPrevious == Distribution(sorting: &fromPrevious))
        }
        #expect(result.steps[1].count > 0)
    }
}
