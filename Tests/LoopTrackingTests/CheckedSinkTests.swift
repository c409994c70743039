import Basics
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents
import TrackingPlans

/// Events that are made by hand, held against a plan while they are tracked.
@Suite struct CheckedSinkTests {
    private static let plan = #"""
        {"plan":1,"name":"Shop","events":{
          "cart_added":{"props":{"sku":{"type":"string"},"items":{"type":"int","min":1,"optional":true},
            "mail":{"type":"string","sensitive":true,"optional":true},"price":{"type":"number","optional":true},
            "order.id":{"type":"int","optional":true}}},
          "opened":{"deprecated":"nobody asks"}},
         "shared":{"experiment":{"type":"string","optional":true}},
         "session":{"app_version":{"type":"string"}}}
        """#

    private final class Found: Sendable {
        private let lines = Lock<[String]>([])
        func add(_ violation: PlanChecker.Violation) { lines.withLock { $0.append("\(violation)") } }
        var all: [String] { lines.withLock { $0 } }
    }

    private let sink = MemorySink()
    private let found = Found()

    private func makeTracker(context: TrackingProperties = ["app_version": "1"]) throws -> Tracker {
        let plan = try TrackingPlan(Array(Self.plan.utf8))
        return Tracker(to: sink.checked(against: plan) { [found] in found.add($0) }, user: "u1", context: context)
    }

    @Test(
        arguments: [
            (.event("cart_added", ["sku": "A1"]), []),
            (.event("cart_added", ["sku": "A1", "experiment": "b", "mail": .sensitive("a@b"), "price": 3]), []),
            (.event("cart_added", ["sku": "A1", "price": .double(.nan)]), []),
            (.event("cart_added", ["sku": "A1", "order": ["id": 3]]), []),
            (.event("cart_added", ["sku": .sensitive("A1")]), []),
            // The lines have integers beyond ±2⁵³ as texts.
            (.event("cart_added", ["sku": .int(9_007_199_254_740_993), "price": .int(.max), "items": .int(.max)]), []),
            (.event("cart_aded"), ["unplanned_event: `cart_aded`"]),
            (
                .event("cart_added", ["items": 0]),
                ["out_of_range: `items` of `cart_added` is `0`", "missing_property: `sku` of `cart_added`"]
            ),
            (.event("cart_added", ["sku": "A1", "order": ["id": "x"]]), ["wrong_type: `order.id` of `cart_added` is `x`"]),
            (.event("cart_added", ["sku": "A1", "colour": .sensitive("red")]), ["unplanned_property: `colour` of `cart_added` is `***`"]),
            (.event("opened"), ["deprecated_event: `opened`"]),
        ] as [(TrackingEvent, [String])])
    func `every event goes on, and what is not as planned is reported`(event: TrackingEvent, violations: [String]) throws {
        try makeTracker().track(event)
        #expect(sink.events.map(\.event) == [event])
        #expect(found.all == violations)
    }

    @Test func `a session's context is checked against the plan's session`() throws {
        try makeTracker(context: ["platform": "linux"]).track(.event("cart_added", ["sku": "A1"]))
        #expect(
            found.all == [
                "unplanned_property: `platform` of `session_started` is `linux`", "missing_property: `app_version` of `session_started`",
            ])
    }

    @Test func `the tracker's own notes are not checked against the plan`() throws {
        let tracker = try makeTracker()
        tracker.track(.event("cart_added", ["sku": "A1"]))
        tracker.identify("u2")
        tracker.track(.event("cart_added", ["sku": "A1"]))
        #expect(found.all == [])
    }

    /// Refuses every `offer`, as a file writer does that is full and may wait.
    private struct Waiting: TrackingSink {
        let sink: MemorySink
        func record(_ event: StampedEvent) { sink.record(event) }
        func offer(_ event: StampedEvent) -> Bool { false }
        func flush() async throws -> FlushReceipt { try await sink.flush() }
        var spoolsWhilePending: Bool { true }
    }

    @Test func `an event that waits for room is reported once`() throws {
        let plan = try TrackingPlan(Array(Self.plan.utf8))
        let checked = Waiting(sink: sink).checked(against: plan) { [found] in found.add($0) }
        #expect(checked.spoolsWhilePending)
        Tracker(to: checked, user: "u1", context: ["app_version": "1"]).track(.event("oops"))
        #expect(sink.names == ["oops"])
        #expect(found.all == ["unplanned_event: `oops`"])
    }

    @Test func `erasing goes on to the sink`() async throws {
        let checked = sink.checked(against: try TrackingPlan(Array(Self.plan.utf8))) { _ in }
        Tracker(to: checked, user: "u1").track(.event("opened"))
        try await checked.flush()
        checked.setConsent(.denied)
        checked.erase { #expect($0 == nil) }
        #expect(sink.all.count == 0)
    }
}
