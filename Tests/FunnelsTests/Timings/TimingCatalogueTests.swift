import EventFiles
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Timings of event files")
struct TimingCatalogueTests {
    private func catalogue(_ lines: [TestLine], _ run: TimingRun = TimingRun(), batchSize: Int = 3) -> TimingCatalogue {
        var accumulator = TimingAccumulator(run)
        TestPass.read(lines, batchSize) {
            TimingBatch(run, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return accumulator.answer(ReadResult())
    }

    private func buckets(_ values: [UInt64]) -> LatencyBuckets {
        var buckets = LatencyBuckets()
        for value in values { buckets.record(value) }
        return buckets
    }

    /// A timing line as the format has it.
    private func line(
        _ event: String, _ phase: String, _ values: [UInt64], at time: Int64 = 0, id: String = "", system: String = ""
    ) -> TestLine {
        let all = buckets(values)
        func list(_ numbers: [UInt64]) -> String { "[" + numbers.map(String.init).joined(separator: ",") + "]" }
        return TestLine(
            "step_timing", time, user: "", id: id, system: system, kind: .timing,
            props: #"{"event":"\#(event)","phase":"\#(phase)","count":\#(all.count),"sum_ns":\#(all.total),"min_ns":\#(all.least),"#
                + #""max_ns":\#(all.greatest),"le_ns":\#(list(all.sparse.map(\.upTo))),"n":\#(list(all.sparse.map(\.count)))}"#)
    }

    @Test("lines add up by system, event and phase, however they are divided", arguments: 1...5)
    func adding(batchSize: Int) throws {
        let found = catalogue(
            [
                line("open", "reduce", [100, 200], at: 5, system: "shop"), line("open", "reduce", [300], at: 9, system: "shop"),
                line("open", "reduce", [7], at: 7, system: "other"), line("open", "total", [900], system: "shop"),
                line("open", "total", [7], system: "other"), TestLine("open", 1), TestLine("session_started", 2, kind: .meta),
            ], batchSize: batchSize)
        #expect(found.entries.map(\.system) == ["shop", "shop", "other", "other"])
        #expect(found.entries.map(\.phase) == ["reduce", "total", "reduce", "total"])
        let first = try #require(found.entries.first)
        #expect((first.count, first.total, first.minimum, first.maximum) == (3, 600, 100, 300))
        #expect(first.mean == 200 && first.p99 == 300 && first.p50.distance(to: 200).magnitude <= 3)
        #expect(found.lines == 5 && found.unreadableLines == 0 && found.firstMilliseconds == 0 && found.lastMilliseconds == 9)
        #expect(found.input.events == 1 && found.leftOut == 0)
    }

    @Test(arguments: 1...4)
    func `percentiles are those of all values in one histogram`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let values = (0..<5_000).map { _ in random.next() >> UInt64.random(in: 20..<60, using: &random) }
        let lines = stride(from: 0, to: values.count, by: 700).map { line("a", "reduce", Array(values[$0..<min($0 + 700, values.count)])) }
        let entry = try #require(catalogue(lines).entries.first)
        let all = buckets(values)
        #expect([entry.p50, entry.p90, entry.p99] == [50, 90, 99].map { all.percentile($0) })
        let sorted = values.sorted()
        for (told, percent) in [(entry.p50, 50), (entry.p90, 90), (entry.p99, 99)] {
            let exact = Double(sorted[(percent * sorted.count + 99) / 100 - 1])
            #expect(abs(Double(told) - exact) <= 0.02 * exact)
        }
        #expect(entry.minimum == sorted.first && entry.maximum == sorted.last)
    }

    @Test func `known phases come in the order in which a step runs them, others after them, and events by their time`() {
        let phases = ["total", "zeta", "feedback", "bindings", "alpha", "effect", "reduce", "middleware", "queue_wait"]
        let found = catalogue(phases.map { line("slow", $0, [50]) } + [line("quick", "total", [40]), line("none", "reduce", [45])])
        #expect(
            found.entries.map(\.phase) == [
                "queue_wait", "reduce", "effect", "bindings", "middleware", "total", "feedback", "alpha", "zeta", "reduce", "total",
            ])
        #expect(found.entries.suffix(2).map(\.event) == ["none", "quick"])
    }

    @Test func `a line that stands in two files counts once; lines without an id always`() {
        let lines = [
            line("a", "reduce", [1], id: "x"), line("a", "reduce", [1], id: "x"), line("a", "reduce", [1]), line("a", "reduce", [1]),
        ]
        let found = catalogue(lines)
        #expect(found.entries.map(\.count) == [3] && found.lines == 3 && found.input.duplicates == 0)
    }

    @Test func `other times and other systems are left out`() throws {
        let lines = [
            line("a", "reduce", [1], at: 10, system: "s"), line("a", "reduce", [2], at: 20, system: "s"),
            line("a", "reduce", [3], at: 20, system: "t"), line("a", "reduce", [4], at: 20), line("a", "reduce", [5], at: 30, system: "s"),
        ]
        let range = try TimeRange(since: 20, until: 30)
        #expect(catalogue(lines, TimingRun(range: range)).entries.map(\.maximum) == [4, 3, 2])
        let one = catalogue(lines, TimingRun(range: range, system: "s"))
        #expect(one.entries.map(\.maximum) == [2] && one.lines == 1 && one.system == "s" && one.range == range)
        #expect(catalogue(lines, TimingRun(system: "none")).entries.isEmpty)
    }

    @Test(arguments: [(nil, 3, 0), (2, 2, 1), (0, 0, 3), (9, 3, 0)])
    func `a limit keeps the first events and counts the others`(top: Int?, told: Int, leftOut: Int) {
        let lines = (1...3).flatMap { [line("e\($0)", "total", [UInt64($0)]), line("e\($0)", "reduce", [1])] }
        let found = catalogue(lines, TimingRun(top: top))
        #expect(found.entries.count == told * 2 && found.leftOut == leftOut && found.lines == 6)
        #expect(found.leftOutEntries.count == leftOut * 2)
        if told > 0 { #expect(found.entries.first?.event == "e3") }
    }

    @Test func `an unreadable line is counted, and timing lines of other names are ignored`() {
        let lines = [
            line("a", "reduce", [1]), TestLine("step_timing", 1, kind: .timing, props: #"{"event":"a"}"#),
            TestLine("gpu_timing", 1, kind: .timing, props: #"{"event":"a"}"#), TestLine("step_timing", 1, props: #"{"event":"a"}"#),
        ]
        let found = catalogue(lines)
        #expect(found.lines == 1 && found.unreadableLines == 1 && found.input.events == 1)
    }

    @Test func `a line that cannot be understood counts once, however many files have it`() {
        let unreadable = TestLine("step_timing", 1, id: "t1", kind: .timing, props: #"{"event":"a"}"#)
        #expect(catalogue([unreadable, unreadable]).unreadableLines == 1)
    }

    @Test func `the entries are limited, however many names there are`() {
        let lines = (0..<5_000).map { line("e\($0)", "reduce", [UInt64($0)]) }
        let found = catalogue(lines, batchSize: 100)
        #expect(found.entries.count == TimingCatalogue.entryLimit + 1)
        #expect(found.entries.reduce(0) { $0 + $1.count } == 5_000)
        #expect(found.entries.first { $0.event == "(other)" }?.count == UInt64(5_000 - TimingCatalogue.entryLimit))
    }

    @Test func `no lines give no entries`() {
        let found = catalogue([])
        #expect(found.entries.isEmpty && found.lines == 0 && found.firstMilliseconds == nil && found.lastMilliseconds == nil)
    }

    @Test func `events that took equally long are sorted by name, then by system`() {
        let found = catalogue([
            line("b", "total", [5]), line("a", "total", [5], system: "t"), line("a", "total", [5]), line("a", "total", [5], system: "s"),
            // An event without a total is ordered by the sum of its phases.
            line("c", "reduce", [4]), line("c", "effect", [2]), line("d", "reduce", [3]), line("d", "effect", [2]),
        ])
        let order = found.entries.map { "\($0.event) \($0.system ?? "-") \($0.phase)" }
        #expect(
            order == [
                "c - reduce", "c - effect", "a - total", "a s total", "a t total", "b - total", "d - reduce", "d - effect",
            ])
    }
}
