import Basics
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents
import TrackingPlans

@Suite struct MemorySinkPlanTests {
    private static let plan = #"{"plan":1,"name":"T","events":{"a":{"props":{"n":{"type":"int"}}},"b":{"deprecated":"old"}}}"#

    private final class Failures: Sendable {
        private let messages = Lock<[String]>([])
        var recorder: FailureRecorder { FailureRecorder { failure in self.messages.withLock { $0.append(failure.description) } } }
        var all: [String] { messages.withLock { $0 } }
    }

    private let failures = Failures()

    private func sink(_ events: TrackingEvent...) throws -> MemorySink {
        let sink = MemorySink(capacity: 1, plan: try TrackingPlan(Array(Self.plan.utf8)))
        let tracker = Tracker(to: sink)
        for event in events { tracker.track(event) }
        return sink
    }

    @Test func `planned events fail nothing, nor do deprecated ones`() throws {
        let sink = try sink(.event("a", ["n": 1]), .event("b"))
        sink.expectPlanned(onFailure: failures.recorder)
        #expect(failures.all == [])
        #expect(sink.violations.map(\.kind) == [.deprecatedEvent])
    }

    @Test func `all violations are one failure, those of dropped events too`() throws {
        try sink(.event("a", ["n": "x"]), .event("c"), .event("a", ["n": 1])).expectPlanned(onFailure: failures.recorder)
        #expect(failures.all == ["Not as the plan has it:\n- wrong_type: `n` of `a` is `x`\n- unplanned_event: `c`"])
    }

    @Test func `violations of erased events are forgotten`() throws {
        let sink = try sink(.event("c"))
        sink.removeAll()
        #expect(sink.violations.isEmpty)
    }

    @Test func `a sink without a plan fails the expectation`() {
        MemorySink().expectPlanned(onFailure: failures.recorder)
        #expect(failures.all == ["The sink has no plan to hold its events against: make it with MemorySink(plan:)."])
    }
}
