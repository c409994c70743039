import EventFiles
import TestSupport
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Who comes back")
struct RetentionTests {
    private static let day: Int64 = 10
    private static let days = CalendarPeriods { time in
        let rest = time % day
        return time - (rest < 0 ? rest + day : rest)
    } next: {
        $0 + day
    }

    private func retention(
        _ definition: RetentionDefinition, _ lines: [TestLine], batchSize: Int = 3, every periods: CalendarPeriods = Self.days
    ) throws -> Retention {
        let plan = CompiledFunnel([try definition.scanned()])
        var accumulator = FunnelAccumulator(plan)
        TestPass.read(lines, batchSize) {
            FunnelBatch(plan, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return accumulator.retention(definition, ReadResult(), every: periods)
    }

    private func definition(
        _ start: String = "a", _ returning: String = "b", periods: Int = 2, key: FunnelKey = .user, breakdown: FunnelBreakdown? = nil,
        range: TimeRange = .all, identify: Bool = true
    ) throws -> RetentionDefinition {
        try RetentionDefinition(
            start: FunnelStep.parse(start)[0].pattern, returning: FunnelStep.parse(returning)[0].pattern, periods: periods, key: key,
            breakdown: breakdown, range: range, identify: identify)
    }

    /// The cohorts as text, `0: 2 [1, 0, -]; 10: …`: start, size, and returned keys of each period.
    private func text(_ cohorts: [Retention.Cohort]) -> String {
        cohorts.map { cohort in
            "\(cohort.startMilliseconds): \(cohort.size) [\(cohort.retained.map { $0.map(String.init) ?? "-" }.joined(separator: ", "))]"
        }.joined(separator: "; ")
    }

    @Test func `keys are in cohorts by first start, and returns are counted by period where the period has ended`() throws {
        let lines = [
            TestLine("a", 1, user: "u"), TestLine("b", 2, user: "u"), TestLine("b", 3, user: "u"), TestLine("b", 25, user: "u"),
            TestLine("a", 4, user: "v"), TestLine("b", 4, user: "v"), TestLine("a", 14, user: "v"), TestLine("b", 15, user: "v"),
            TestLine("b", 1, user: "w"), TestLine("a", 21, user: "w"), TestLine("x", 29, user: "x"),
        ]
        let found = try retention(definition(), lines)
        // v's return in the millisecond of its start is no later one; w's return came before its start.
        #expect(text(found.cohorts) == "0: 2 [1, 1, 1]; 10: 0 [0, 0, -]; 20: 1 [0, -, -]")
        #expect(Retention.average(found.cohorts, periods: 2) == [1.0 / 3, 0.5, 0.5])
        #expect(found.size == 3 && found.endMilliseconds == 29)
        // One millisecond less, and the last period has not ended.
        let shorter = try retention(definition(), lines.dropLast() + [TestLine("x", 28, user: "x")])
        #expect(text(shorter.cohorts) == "0: 2 [1, 1, -]; 10: 0 [0, -, -]; 20: 1 [-, -, -]")
    }

    @Test func `where an event fits both, a key's first one is its start and later ones are returns`() throws {
        let lines = [TestLine("a", 1), TestLine("a", 5), TestLine("a", 12), TestLine("x", 40)]
        #expect(text(try retention(definition("a", "a"), lines).cohorts) == "0: 1 [1, 1, 0]")
        #expect(text(try retention(definition("*", "x"), lines).cohorts) == "0: 1 [0, 0, 0]")
        #expect(text(try retention(definition("a", "x", periods: 4), lines).cohorts) == "0: 1 [0, 0, 0, 0, -]")
    }

    @Test func `the first start is that of all data, the range chooses cohorts`() throws {
        let lines = [TestLine("a", 1), TestLine("a", 15), TestLine("b", 16), TestLine("a", 15, user: "v"), TestLine("x", 39)]
        let range = try TimeRange(since: 10, until: 20)
        #expect(text(try retention(definition(range: range), lines).cohorts) == "10: 1 [0, 0, 0]")
    }

    @Test func `keys, property tests, joined users and lists of users apply as in a funnel`() throws {
        let lines = [
            TestLine("a", 1, user: "a-1", session: "s", props: #"{"n":5}"#), TestLine("b", 12, user: "u", session: "t"),
            TestLine("identified", 13, user: "u", kind: .meta, props: #"{"anonymous":"a-1"}"#), TestLine("x", 39, user: "y"),
        ]
        #expect(text(try retention(definition(), lines).cohorts) == "0: 1 [0, 1, 0]")
        #expect(text(try retention(definition(identify: false), lines).cohorts) == "0: 1 [0, 0, 0]")
        #expect(text(try retention(definition(key: .session), lines).cohorts) == "0: 1 [0, 0, 0]")
        #expect(try retention(definition("a[n>5]"), lines).cohorts.isEmpty)
        var some = try definition()
        some.cohort = CohortFilter(except: try Cohort(Array("u".utf8), name: "x"))
        #expect(try retention(some, lines).cohorts.isEmpty)
    }

    @Test func `groups are those of the first value, the last or the start's, and the rest stands last`() throws {
        func line(_ name: String, _ time: Int64, _ user: String, _ value: String?) -> TestLine {
            TestLine(name, time, user: user, props: value.map { #"{"g":"\#($0)"}"# } ?? "{}")
        }
        let lines = [
            line("a", 1, "u", nil), line("b", 2, "u", "x"), line("b", 11, "u", "y"), line("a", 1, "v", "x"), line("a", 1, "w", "z"),
            line("a", 12, "n", nil), line("x", 39, "q", "x"),
        ]
        func groups(_ attribution: FunnelBreakdown.Attribution, top: Int = 10) throws -> [String] {
            let breakdown = FunnelBreakdown(path: ["g"], attribution: attribution, top: top)
            return try retention(definition(breakdown: breakdown), lines).groups.map { "\($0.value) = \(text($0.cohorts))" }
        }
        #expect(
            try groups(.first) == [
                "x = 0: 2 [1, 1, 0]; 10: 0 [0, 0, 0]", "z = 0: 1 [0, 0, 0]; 10: 0 [0, 0, 0]", "(none) = 0: 0 [0, 0, 0]; 10: 1 [0, 0, 0]",
            ])
        #expect(try groups(.last).map { $0.prefix(1) } == ["x", "y", "z", "("])
        #expect(try groups(.step(1)).map { $0.prefix(6) } == ["x = 0:", "z = 0:", "(none)"])
        #expect(try groups(.first, top: 1).map { $0.prefix(7) } == ["x = 0: ", "(none) ", "(other)"])
    }

    @Test func `of several values in one millisecond the one that sorts first counts, in whatever order the lines stand`() throws {
        let lines = [#"{"g":"y"}"#, #"{"g":"x"}"#, "{}"].map { TestLine("a", 1, props: $0) } + [TestLine("x", 39, user: "q")]
        for attribution in [.first, .last, .step(1)] as [FunnelBreakdown.Attribution] {
            let breakdown = FunnelBreakdown(path: ["g"], attribution: attribution)
            for lines in [lines, lines.reversed()] {
                #expect(try retention(definition(breakdown: breakdown), lines).groups.map(\.value) == ["x"])
            }
        }
    }

    @Test func `a breakdown that puts a key into several groups is refused, and so is one by a step that does not exist`() {
        let each = FunnelBreakdown(path: ["g"], attribution: .all)
        #expect(throws: RetentionDefinitionError.breakdownByEach) { try definition(breakdown: each) }
        #expect(throws: RetentionDefinitionError.breakdownBeyondStart(step: 2)) {
            try definition(breakdown: FunnelBreakdown(path: ["g"], attribution: .step(2)))
        }
        #expect(throws: RetentionDefinitionError.periods(-1)) { try definition(periods: -1) }
    }

    @Test func `one wild time does not make millions of cohorts`() throws {
        let lines = [TestLine("a", 0), TestLine("a", 1_000_000_000, user: "v")]
        #expect(try retention(definition(), lines).cohorts.count == 2)
    }

    @Test func `the calendar is asked as often for many groups as for one`() throws {
        let lines = (0..<40).map { TestLine("a", Int64($0 % 20) * Self.day, user: "u\($0)", props: #"{"g":"\#($0)"}"#) }
        let asked = Collected<Int64>()
        let days = CalendarPeriods(start: Self.days.start) { start in
            asked.add(start)
            return start + Self.day
        }
        let found = try retention(definition(breakdown: FunnelBreakdown(path: ["g"])), lines, every: days)
        #expect(found.groups.count == 11 && found.groups.allSatisfy { $0.cohorts.count == 20 })
        // Once for the next cohort's beginning, and once for the end of each of its three periods.
        #expect(asked.all.count <= 20 * (1 + 3))
    }

    @Test("random events, counted by hand", arguments: 0..<100 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let lines = (0..<Int.random(in: 1...80, using: &random)).map { _ in
            TestLine(
                ["a", "b", "c"].randomElement(using: &random) ?? "a", Int64.random(in: -30...60, using: &random),
                user: "u\(Int.random(in: 0...6, using: &random))")
        }
        let periods = Int.random(in: 0...5, using: &random)
        let found = try retention(definition(periods: periods), lines, batchSize: Int.random(in: 1...9, using: &random))
        func day(_ time: Int64) -> Int { Int((Double(time) / Double(Self.day)).rounded(.down)) }
        let end = lines.map(\.time).max() ?? 0
        let firsts = Dictionary(grouping: lines, by: \.user).compactMapValues { $0.filter { $0.name == "a" }.map(\.time).min() }
        for (place, cohort) in found.cohorts.enumerated() {
            let first = day(cohort.startMilliseconds)
            #expect(place == 0 || cohort.startMilliseconds == found.cohorts[place - 1].startMilliseconds + Self.day)
            let members = firsts.filter { day($0.value) == first }
            #expect(cohort.size == members.count)
            for k in 0...periods {
                let back = members.filter { user, start in
                    lines.contains { $0.user == user && $0.name == "b" && $0.time > start && day($0.time) == first + k }
                }
                let isOver = Int64(first + k + 1) * Self.day <= end + 1
                #expect(cohort.retained[k] == (isOver ? back.count : nil))
            }
        }
        #expect(found.size == firsts.count)
    }
}
