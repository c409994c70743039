import LoopCore
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

/// What happened once is not tracked a second time.
@MainActor @Suite struct ReplayedStepsTests {
    private let sink = MemorySink()

    /// A number that grows, replayed up to 3 and then sent 0 and 1.
    private func run(_ middleware: Middleware<Int, Int>) async {
        let system = System(initialState: 0, reducer: { (state: inout Int, event: Int) in state += event }).attach(middleware)
        #expect(system.beginReplay())
        for event in [1, 1, 1] { await system.replay(event, ended: .unknown) }
        system.endReplay()
        system.send(0)
        system.send(1)
    }

    @Test func `a state that a replay led to is not tracked again, only what comes after it`() async {
        await run(.track(to: Tracker(to: sink)) { .event("at", ["n": .int($0)]) })
        #expect(sink.events.map(\.event.properties) == [["n": 0], ["n": 4]])
    }

    @Test func `a replayed state that maps to several events is not tracked again, either`() async {
        await run(.track(to: Tracker(to: sink)) { [.event("at", ["n": .int($0)]), .event("counting")] })
        #expect(sink.names == ["at", "counting", "at"])
    }

    @Test func `replayed steps are not tracked`() async {
        await run(.trackSteps(to: Tracker(to: sink)) { step in step.event.map { .event("tap", ["n": .int($0)]) } })
        #expect(sink.events.map(\.event.properties) == [["n": 0], ["n": 1]])
        sink.removeAll()
        await run(
            .trackSteps(to: Tracker(to: sink)) { step in
                switch step.event {
                case nil: nil
                default: [.event("a"), .event("b")]
                }
            })
        #expect(sink.names == ["a", "b", "a", "b"])
    }

    @Test func `a replay is no change, and the next change begins at its last state`() async {
        await run(.trackChanges(to: Tracker(to: sink), of: \.self) { old, new in .event("grew", ["from": .int(old), "to": .int(new)]) })
        #expect(sink.events.map(\.event.properties) == [["from": 3, "to": 4]])
    }
}
