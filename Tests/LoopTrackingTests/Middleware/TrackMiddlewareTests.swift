import Basics
import LoopCore
import LoopMigration
import LoopTracking
import Testing
import TrackingEvents

private final class Names: TrackingSink {
    private let names = Lock<[String]>([])
    func flush() async throws -> FlushReceipt { FlushReceipt() }
    func record(_ event: StampedEvent) {
        if event.kind == .track { names.withLock { $0.append(event.event.name + (event.system.map { "@\($0)" } ?? "")) } }
    }
    var all: [String] { names.withLock { $0 } }
}

@MainActor @Suite struct TrackMiddlewareTests {
    private let sink = Names()

    private func makeSystem(_ name: String? = nil) -> System<String, String> {
        System(name: name, initialState: "start", reducer: { (state: inout String, event: String) in state = event })
    }

    /// The event of a state's page; "-" is no page.
    private func page(_ state: String) -> TrackingEvent? { state == "-" ? nil : .event(state) }

    @Test func `the first screen is tracked when the middleware is attached`() {
        makeSystem().attach(.track(to: Tracker(to: sink), page))
        #expect(sink.all == ["start"])
    }

    @Test func `a state is told when it is entered, not at every step`() {
        let system = makeSystem().attach(.track(to: Tracker(to: sink), page))
        for state in ["a", "a", "a", "b", "a"] { system.send(state) }
        #expect(sink.all == ["start", "a", "b", "a"])
    }

    @Test func `a state without an event in between ends the suppression`() {
        let system = makeSystem().attach(.track(to: Tracker(to: sink), page))
        for state in ["a", "-", "a"] { system.send(state) }
        #expect(sink.all == ["start", "a", "a"])
    }

    @Test func `a failed event leads back to a state that is not entered again`() async {
        struct Offline: Error {}
        let system = System<String, String>(
            initialState: "start",
            next: { (state: String, event: String) -> Next<String> in
                event == "fail" ? .run { throw Offline() }.stateWhenLoading("-") : .state(event)
            }
        ).attach(.track(to: Tracker(to: sink), page))
        system.send("fail")
        await system.settled()
        system.send("a")
        await system.settled()
        #expect(sink.all == ["start", "a"])
    }

    @Test func `equal names with other properties are two events`() {
        let system = makeSystem().attach(.track(to: Tracker(to: sink)) { .event("page", ["name": .string($0)]) })
        for state in ["a", "b", "b"] { system.send(state) }
        #expect(sink.all.count == 3)
    }

    @Test func `steps are never suppressed: two taps are two events`() {
        let system = makeSystem().attach(.trackSteps(to: Tracker(to: sink)) { step in step.event.map { .event($0) } })
        for state in ["tap", "tap"] { system.send(state) }
        #expect(sink.all == ["tap", "tap"])
    }

    @Test func `a step mapping sees the previous state`() {
        let system = makeSystem().attach(.trackSteps(to: Tracker(to: sink)) { .event("\($0.previousState ?? "none")>\($0.state)") })
        system.send("a")
        system.send("b")
        #expect(sink.all == ["none>start", "start>a", "a>b"])
    }

    @Test func `several systems share a tracker, and their names tell the events apart`() {
        let tracker = Tracker(to: sink)
        let (one, two) = (makeSystem("one"), makeSystem("two"))
        one.attach(.track(to: tracker, page))
        two.attach(.track(to: tracker, page))
        one.send("a")
        two.send("a")
        #expect(sink.all == ["start@one", "start@two", "a@one", "a@two"])
    }

    @Test func `a loading state is a state like any other`() async {
        let system = System(
            initialState: "start", next: { (_: String, event: String) in Next<String>.run { event }.stateWhenLoading("-") })
        system.attach(.track(to: Tracker(to: sink), page))
        system.send("a")
        system.send("a")
        await system.settled()
        #expect(sink.all == ["start", "a", "a"])
    }

    @Test func `another library's callback is tracked in one line`() {
        var callback: (String) -> Void = { _ in }
        callback = Middleware<String, Never>.track(to: Tracker(to: sink), page).stateCallback(initialState: "start")
        callback("a")
        callback("a")
        #expect(sink.all == ["start", "a"])
    }
}
