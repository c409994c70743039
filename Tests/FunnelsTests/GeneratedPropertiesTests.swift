import TestSupport
import Testing
import TrackingEvents

@testable import Funnels

/// What must hold for every funnel over any data, whatever is asked.
@Suite("Properties of generated funnels")
struct GeneratedPropertiesTests {
    /// One way to ask, and what may be expected of it.
    struct Mode: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Whether events that fit no step change nothing; for `gainsByTime`, whether a wider window never lowers a count.
        var ignoresOthers = true
        var gainsByTime = true
        var make: @Sendable ([FunnelStep], Int64) throws -> FunnelDefinition
    }

    static let modes: [Mode] = [
        Mode(testDescription: "ordered") { try FunnelDefinition(steps: $0, windowMilliseconds: $1) },
        Mode(testDescription: "strict", ignoresOthers: false) { try FunnelDefinition(steps: $0, windowMilliseconds: $1, order: .strict) },
        Mode(testDescription: "any order") { try FunnelDefinition(steps: $0, windowMilliseconds: $1, order: .any) },
        Mode(testDescription: "step window") { try FunnelDefinition(steps: $0, windowMilliseconds: $1, stepWindowMilliseconds: 6) },
        Mode(testDescription: "held") { try FunnelDefinition(steps: $0, windowMilliseconds: $1, hold: ["p"]) },
        Mode(testDescription: "attempts", gainsByTime: false) {
            try FunnelDefinition(steps: $0, windowMilliseconds: $1, counting: .attempts)
        },
        Mode(testDescription: "ended") {
            try FunnelDefinition(steps: $0, windowMilliseconds: $1, exclusions: [FunnelExclusion.parse("x")])
        },
        Mode(testDescription: "spoilt", gainsByTime: false) {
            try FunnelDefinition(steps: $0, windowMilliseconds: $1, exclusions: [FunnelExclusion.parse("!x")])
        },
        Mode(testDescription: "first value") {
            try FunnelDefinition(steps: $0, windowMilliseconds: $1, breakdown: FunnelBreakdown(path: ["p"], top: 2))
        },
        Mode(testDescription: "every value") {
            try FunnelDefinition(steps: $0, windowMilliseconds: $1, breakdown: FunnelBreakdown(path: ["p"], attribution: .all))
        },
        Mode(testDescription: "windowFunnel") { try FunnelDefinition(steps: $0, windowMilliseconds: $1, compat: .clickhouse([])) },
        Mode(testDescription: "windowFunnel once") {
            try FunnelDefinition(steps: $0, windowMilliseconds: $1, compat: .clickhouse([.once, .increase]))
        },
        Mode(testDescription: "windowFunnel in order", ignoresOthers: false, gainsByTime: false) {
            try FunnelDefinition(steps: $0, windowMilliseconds: $1, compat: .clickhouse([.order, .deduplication]))
        },
    ]

    private static let texts = ["a > b > c", "a > a > b", "(a | b) > c > (b | c)", "a > c > b > a > c", "* > b"]

    private func lines(
        _ random: inout SeededRandom, _ names: [String] = ["a", "b", "c", "x"], count: Int = isNight ? 250 : 140
    ) -> [TestLine] {
        (0..<count).map { number in
            TestLine(
                names.randomElement(using: &random)!, .random(in: 0...120, using: &random), user: "u\(number % 25)",
                session: "s\(number % 7)", sequence: Int64(number % 50 + 1), id: "\(names[0])\(number)",
                props: #"{"p":\#(Int.random(in: 0...2, using: &random))}"#)
        }
    }

    private func counts(_ result: FunnelResult) -> [Int] { result.steps.map(\.count) }

    @Test("counts fall from step to step, in each group too", arguments: modes)
    func counts(mode: Mode) throws {
        var random = SeededRandom(seed: 21)
        for text in Self.texts {
            let result = TestPass.funnel(try mode.make(FunnelStep.parse(text), 20), lines(&random))
            for steps in [result.steps] + result.groups.map(\.steps) {
                #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.count >= $1.count }, "\(text)")
                #expect(steps.dropFirst().map(\.dropped).reduce(0, +) == steps[0].count - steps[steps.count - 1].count)
                for step in steps.dropFirst() {
                    #expect(step.fromFirst?.n ?? 0 == step.count && step.fromPrevious?.n ?? 0 == step.count)
                }
            }
            #expect(result.entered > 0 && result.windowOpen <= result.entered - result.converted)
            #expect(result.groups.isEmpty || result.groups.map { $0.steps[0].count }.reduce(0, +) == result.entered)
        }
    }

    @Test("events of other names change nothing", arguments: modes.filter(\.ignoresOthers))
    func others(mode: Mode) throws {
        var random = SeededRandom(seed: 22)
        for text in Self.texts.dropLast() {
            let definition = try mode.make(FunnelStep.parse(text), 20)
            let before = lines(&random)
            let after = (before + lines(&random, ["y", "z"])).shuffled(using: &random)
            let (plain, mixed) = (TestPass.funnel(definition, before), TestPass.funnel(definition, after))
            #expect(plain.steps == mixed.steps && plain.groups == mixed.groups, "\(text)")
        }
    }

    @Test("shuffling and dividing lines changes nothing", arguments: modes)
    func shuffling(mode: Mode) throws {
        var random = SeededRandom(seed: 23)
        for text in Self.texts {
            let definition = try mode.make(FunnelStep.parse(text), 20)
            let all = lines(&random)
            let whole = TestPass.funnel(definition, all, batchSize: 1000)
            for size in [1, 13, 100] {
                #expect(TestPass.funnel(definition, all.shuffled(using: &random), batchSize: size) == whole, "\(text), \(size)")
            }
        }
    }

    @Test("doubling every line changes nothing but the counts of lines", arguments: modes)
    func doubling(mode: Mode) throws {
        var random = SeededRandom(seed: 24)
        for text in Self.texts {
            let definition = try mode.make(FunnelStep.parse(text), 20)
            let once = lines(&random)
            let (plain, doubled) = (TestPass.funnel(definition, once), TestPass.funnel(definition, (once + once).shuffled(using: &random)))
            #expect(plain.steps == doubled.steps && plain.groups == doubled.groups && plain.windowOpen == doubled.windowOpen, "\(text)")
            #expect(doubled.input.duplicates == once.count && doubled.input.events == 2 * once.count)
            #expect(doubled.input.sequenceGaps == plain.input.sequenceGaps)
        }
    }

    @Test("a wider window never lowers a count", arguments: modes.filter(\.gainsByTime))
    func widening(mode: Mode) throws {
        var random = SeededRandom(seed: 25)
        for text in Self.texts {
            let all = lines(&random)
            var narrower: [Int]?
            for window in [0, 1, 3, 8, 20, 60, 200] as [Int64] {
                let found = counts(TestPass.funnel(try mode.make(FunnelStep.parse(text), window), all))
                if let narrower { #expect(zip(narrower, found).allSatisfy { $0 <= $1 }, "\(text), \(window): \(narrower) \(found)") }
                narrower = found
            }
        }
    }

    @Test("the counts of starts before and after a cut add up to those of all starts", arguments: [5, 40])
    func dividedByTime(cut: Int64) throws {
        // Each key has one start, so that it belongs to one side of the cut.
        var random = SeededRandom(seed: 26)
        let starts = (0..<60).map { TestLine("a", .random(in: 0...80, using: &random), user: "u\($0)") }
        let rest = lines(&random, ["b", "c"], count: 400).map { line in
            var line = line
            line.user = "u\(Int.random(in: 0..<60, using: &random))"
            return line
        }
        func counts(since: Int64? = nil, until: Int64? = nil) throws -> [Int] {
            let definition = try FunnelDefinition(
                steps: FunnelStep.parse("a > b > c"), windowMilliseconds: 50, since: since, until: until)
            return self.counts(TestPass.funnel(definition, starts + rest))
        }
        let (before, after) = (try counts(until: cut), try counts(since: cut))
        #expect(zip(before, after).map(+) == (try counts()))
    }
}
