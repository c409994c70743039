#if SwiftMetrics
import LoopCore
@testable import LoopTracing
import Metrics
import MetricsTestKit
import Testing

private struct Broken: Error {}

@Suite struct SwiftMetricsSinkTests {
    private let metrics = TestMetrics()
    private let shop = TraceSource(name: "shop")

    private func span(
        _ kind: TraceSpan.Kind = .event, event: String? = "load", duration: UInt64 = 10, outcome: Outcome = .finished
    ) -> TraceSpan {
        TraceSpan(
            source: shop, id: 3, kind: kind, name: "x", event: event, number: 1, start: 0, duration: duration,
            queueWait: kind == .event ? 5 : 0, outcome: outcome)
    }

    private func values(_ event: String, _ phase: String) throws -> [Int64] {
        try metrics.expectTimer("looptrail_step", [("event", event), ("phase", phase), ("system", "shop")]).values
    }

    private func count(_ what: String, _ event: String, _ outcome: String) throws -> Int64 {
        try metrics.expectCounter("looptrail_\(what)", [("event", event), ("outcome", outcome), ("system", "shop")]).totalValue
    }

    @Test func `each phase is a timer by event, phase and system`() throws {
        let sink = SwiftMetricsSink(factory: metrics)
        sink.record([span(), span(.phase(.reduce), duration: 4), span(.phase(.middleware), duration: 6)])
        sink.record([span(duration: 20)])
        #expect(try values("load", "total") == [15, 25])
        #expect(try values("load", "queue_wait") == [5, 5])
        #expect(try values("load", "reduce") == [4])
        #expect(try values("load", "middleware") == [6])
        #expect(try count("events", "load", "finished") == 2)
    }

    @Test func `effects of feedbacks are counted and timed, those of the initial state too`() throws {
        let sink = SwiftMetricsSink(factory: metrics)
        sink.record([span(.feedback, duration: 7)])
        sink.record([span(.feedback, event: nil, duration: 8, outcome: .failed(Broken()))])
        #expect(try values("load", "feedback") == [7])
        #expect(try values(Measurements.initialState, "feedback") == [8])
        #expect(try count("effects", "load", "finished") == 1)
        #expect(try count("effects", Measurements.initialState, "failed") == 1)
    }

    @Test func `what was cancelled is counted and not timed`() throws {
        let sink = SwiftMetricsSink(factory: metrics)
        sink.record([span(outcome: .cancelled), span(.phase(.reduce))])
        sink.record([span(.feedback, outcome: .cancelled)])
        #expect(metrics.timers.isEmpty)
        #expect(try count("events", "load", "cancelled") == 1)
        #expect(try count("effects", "load", "cancelled") == 1)
    }

    @Test func `names beyond the limit are one`() throws {
        let sink = SwiftMetricsSink(factory: metrics)
        for id in 0..<306 { sink.record([span(event: "id \(id)")]) }
        #expect(try count("events", Measurements.otherEvents, "finished") == 50)
        #expect(metrics.counters.count == 257)
    }
}
#endif
