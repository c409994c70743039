@testable import LoopTracing
import LoopCore
import Testing

@Suite struct PrometheusTextTests {
    private let few = PrometheusText(bounds: [.microseconds(1), .milliseconds(1)])

    private func lines(_ text: String, _ prefix: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
    }

    @Test func `a collection is served as histograms and counters`() {
        let measurements = Measurements()
        Measured.note("open", reduce: 500, effect: 2_000_000, system: "shop", in: measurements)
        Measured.note("open", reduce: 2_000, system: "shop", in: measurements, .failed(CancellationError()))
        Measured.note("open", reduce: 9, system: "shop", in: measurements, .cancelled)
        #expect(
            few.text(of: measurements).hasPrefix(
                """
                # HELP looptrail_step_seconds How long the phases of handling an event took.
                # TYPE looptrail_step_seconds histogram
                looptrail_step_seconds_bucket{system="shop",event="open",phase="queue_wait",le="1e-06"} 2
                looptrail_step_seconds_bucket{system="shop",event="open",phase="queue_wait",le="0.001"} 2
                looptrail_step_seconds_bucket{system="shop",event="open",phase="queue_wait",le="+Inf"} 2
                looptrail_step_seconds_sum{system="shop",event="open",phase="queue_wait"} 0.0
                looptrail_step_seconds_count{system="shop",event="open",phase="queue_wait"} 2
                looptrail_step_seconds_bucket{system="shop",event="open",phase="reduce",le="1e-06"} 1
                looptrail_step_seconds_bucket{system="shop",event="open",phase="reduce",le="0.001"} 2
                looptrail_step_seconds_bucket{system="shop",event="open",phase="reduce",le="+Inf"} 2
                looptrail_step_seconds_sum{system="shop",event="open",phase="reduce"} 2.5e-06
                looptrail_step_seconds_count{system="shop",event="open",phase="reduce"} 2
                looptrail_step_seconds_bucket{system="shop",event="open",phase="effect",le="1e-06"} 0
                looptrail_step_seconds_bucket{system="shop",event="open",phase="effect",le="0.001"} 0
                looptrail_step_seconds_bucket{system="shop",event="open",phase="effect",le="+Inf"} 1
                looptrail_step_seconds_sum{system="shop",event="open",phase="effect"} 0.002
                looptrail_step_seconds_count{system="shop",event="open",phase="effect"} 1

                """))
        #expect(
            few.text(of: measurements).hasSuffix(
                """
                # HELP looptrail_events_total Events that were handled to their end, whichever way it was.
                # TYPE looptrail_events_total counter
                looptrail_events_total{system="shop",event="open"} 3
                # HELP looptrail_events_failed_total Events whose work failed without a recovery.
                # TYPE looptrail_events_failed_total counter
                looptrail_events_failed_total{system="shop",event="open"} 1
                # HELP looptrail_events_cancelled_total Events whose work was cancelled.
                # TYPE looptrail_events_cancelled_total counter
                looptrail_events_cancelled_total{system="shop",event="open"} 1

                """))
    }

    @Test(arguments: Sample.allCases)
    func `buckets rise to the count, and each is right but for values within 2 % of its bound`(sample: Sample) throws {
        let values = sample.values(3_000)
        let text = PrometheusText().text(of: Measured.times(values))
        let told = try lines(text, #"looptrail_step_seconds_bucket{event="tick",phase="reduce""#).map { line in
            let bound = try #require(line.split(separator: "\"").last { $0.first?.isNumber == true || $0 == "+Inf" })
            return (Double(bound) ?? .infinity, UInt64(try #require(line.split(separator: " ").last)) ?? .max)
        }
        #expect(told.count == 25 && told.map(\.0) == told.map(\.0).sorted() && told.last?.1 == 3_000)
        for (bound, count) in told {
            #expect(count >= UInt64(values.count { Double($0) / 1e9 <= bound / 1.02 }))
            #expect(count <= UInt64(values.count { Double($0) / 1e9 <= bound * 1.02 }))
        }
        for (one, next) in zip(told, told.dropFirst()) { #expect(one.1 <= next.1) }
    }

    @Test(arguments: [(UInt64(1_000), "111"), (1_001, "011"), (1_000_000, "011"), (1_000_001, "001")])
    func `a bucket's bound is in it, to the nanosecond where only one value is known`(value: UInt64, counts: String) {
        let text = few.text(of: Measured.times([value]))
        #expect(String(lines(text, #"looptrail_step_seconds_bucket{event="tick",phase="reduce""#).compactMap(\.last)) == counts)
    }

    @Test func `the same series come at every scrape, whatever was measured in between`() {
        let measurements = Measured.times([5])
        func names() -> [Substring] { PrometheusText().text(of: measurements).split(separator: "\n").map { $0.prefix { $0 != " " } } }
        let before = names()
        for time in [1, 100_000, 3_000_000_000] { Measured.note("tick", reduce: UInt64(time), in: measurements) }
        #expect(names() == before)
    }

    @Test(
        "labels hold any name",
        arguments: [
            ("a\"b", #"a\"b"#), ("back\\slash", #"back\\slash"#), ("line\nfeed", #"line\nfeed"#), ("日本 {}=,", "日本 {}=,"), ("\\n", #"\\n"#),
        ])
    func escaping(name: String, told: String) {
        let text = PrometheusText().text(of: Measured.times([1], event: name, system: name))
        #expect(text.contains("looptrail_events_total{system=\"\(told)\",event=\"\(told)\"} 1\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("looptrail_") })
    }

    @Test func `no name and an empty one are one series, as Prometheus does not tell them apart`() {
        let measurements = Measurements()
        Measured.note("a", reduce: 1, in: measurements)
        Measured.note("a", reduce: 2, system: "", in: measurements)
        Measured.note("a", reduce: 3, system: "s", in: measurements)
        #expect(
            lines(few.text(of: measurements), "looptrail_events_total") == [
                #"looptrail_events_total{event="a"} 2"#, #"looptrail_events_total{system="s",event="a"} 1"#,
            ])
    }

    @Test func `other counters stand by family, with names that Prometheus takes`() {
        let counters = [
            PrometheusCounter("lines_dropped", "Lost: \\ or\nso.", 3, labels: ["why not": "x\"y"]),
            PrometheusCounter("9 lives_total", "Odd.", -4), PrometheusCounter("lines_dropped_total", "Again.", UInt64.max),
        ]
        let text = few.text(of: Measurements(), counters: counters)
        #expect(
            text.hasSuffix(
                """
                # HELP lines_dropped_total Lost: \\\\ or\\nso.
                # TYPE lines_dropped_total counter
                lines_dropped_total{why_not="x\\"y"} 3
                lines_dropped_total 18446744073709551615
                # HELP _9_lives_total Odd.
                # TYPE _9_lives_total counter
                _9_lives_total 0

                """))
    }

    @Test func `bounds are put in order, and what is no bound is left out`() {
        let bounds: [Duration] = [.seconds(1), .milliseconds(1), .zero, .seconds(-1), .milliseconds(1)]
        let text = PrometheusText(bounds: bounds).text(of: Measured.times([5]))
        #expect(lines(text, #"looptrail_step_seconds_bucket{event="tick",phase="reduce""#).count == 3)
        #expect(text.contains(#"le="0.001"} 1"#) && text.contains(#"le="1.0"} 1"#))
    }
}
