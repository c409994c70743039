import LoopCore
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

private enum Shop {
    enum State: Equatable {
        case start, browsing
        case added(String)
    }
}

/// How mappings to planned events are written, and what they track.
@Suite struct PlannedMappingTests {
    private let sink = MemorySink()

    private func makeTracker() -> Tracker { Tracker(to: sink, user: "u1", random: SeededRandom(seed: 1)) }

    /// Runs a shop with the middleware, from its first state to two more.
    private func run(_ middleware: Middleware<Shop.State, Shop.State>) {
        let system = System(initialState: Shop.State.start) { (state: inout Shop.State, event: Shop.State) in state = event }
            .attach(middleware).start()
        system.send(.browsing)
        system.send(.added("A1"))
    }

    private static func added(_ sku: String) -> OddEvent { .cartAdded(sku: sku, items: 1, plan: .free, mail: "m") }

    private static func planned(_ state: Shop.State) -> OddEvent? {
        switch state {
        case .start: return .start
        case .browsing: return nil
        case .added(let sku): return added(sku)
        }
    }

    @Test func `a state maps to a planned event or none`() {
        run(
            .track(to: makeTracker()) { state -> OddEvent? in
                switch state {
                case .start: return .start
                case .browsing: return nil
                case .added(let sku): return .cartAdded(sku: sku, items: 1, plan: .free, mail: "m")
                }
            })
        #expect(sink.names == ["start", "cart_added"])
    }

    @Test func `a function that maps states is taken as it is`() {
        run(.track(to: makeTracker(), Self.planned))
        #expect(sink.names == ["start", "cart_added"])
    }

    @Test func `a state maps to several planned events`() {
        run(
            .track(to: makeTracker()) { state -> [OddEvent] in
                switch state {
                case .start: return [.start]
                case .browsing: return []
                case .added(let sku): return [.start, Self.added(sku)]
                }
            })
        #expect(sink.names == ["start", "start", "cart_added"])
    }

    @Test func `a state maps to events of several plans`() {
        struct Other: PlannedEvent {
            let trackingEvent = TrackingEvent("other")
        }
        run(
            .track(to: makeTracker()) { state in
                switch state {
                case .start: OddEvent.start
                case .browsing: Other()
                case .added: nil
                }
            })
        #expect(sink.names == ["start", "other"])
    }

    @Test func `planned events stand beside others in one mapping`() {
        run(
            .track(to: makeTracker()) { state in
                switch state {
                case .start: OddEvent.start
                case .browsing: .event("browsing")
                case .added: nil
                }
            })
        run(
            .track(to: makeTracker()) { state in
                switch state {
                case .start: OddEvent.start
                case .browsing: [.event("browsing"), OddEvent.start.trackingEvent]
                case .added(let sku): [OddEvent.start, Self.added(sku)]
                }
            })
        #expect(sink.names == ["start", "browsing", "start", "browsing", "cart_added"])
    }

    @Test func `steps map to planned events`() {
        run(.trackSteps(to: makeTracker(), needs: []) { step -> OddEvent? in Self.planned(step.state) })
        run(.trackSteps(to: makeTracker(), needs: []) { step -> [OddEvent] in step.state == .browsing ? [.start, .start] : [] })
        #expect(sink.names == ["start", "cart_added", "start", "start"])
    }

    @Test func `changes map to planned events`() {
        run(.trackChanges(to: makeTracker(), of: \.self) { _, new -> OddEvent? in Self.planned(new) })
        run(.trackChanges(to: makeTracker(), of: \.self) { old, _ -> [OddEvent] in old == .start ? [.start, .start] : [] })
        #expect(sink.names == ["cart_added", "start", "start"])
    }

    @Test func `a tracker takes a planned event`() {
        makeTracker().track(OddEvent.start)
        makeTracker().track(Self.added("A1"), system: "cart")
        #expect(sink.names == ["start", "cart_added"])
        #expect(sink.events.last?.system == "cart")
    }
}
