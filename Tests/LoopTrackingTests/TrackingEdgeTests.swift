import Basics
import LoopCore
import LoopTracking
import Testing
import TrackingEvents

/// Values and clocks that nobody expects.
@MainActor @Suite struct TrackingEdgeTests {
    @Test func `a state mapped to an event with a NaN counts once while it stays`() {
        let count = Lock(0)
        let sink = ClosureSink { event in count.withLock { $0 += event.kind == .track ? 1 : 0 } }
        let system = System<Int, Int>(initialState: 0, reducer: { (state: inout Int, event: Int) in state += event })
            .attach(.track(to: Tracker(to: sink)) { _ in .event("rated", ["value": .double(.nan), "all": .array([.double(.nan)])]) })
        system.send(1)
        system.send(1)
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `a clock that jumps from one end of time to the other stops nothing`() {
        let now = Lock(Int64.max)
        let sessions = Lock([String?]())
        let tracker = Tracker(
            to: ClosureSink { event in sessions.withLock { $0.append(event.session) } },
            clock: WallClock { now.withLock { $0 } })
        for time in [Int64.max, .min, 0, .max] {
            now.withLock { $0 = time }
            tracker.track(.event("a"))
        }
        #expect(sessions.withLock { $0.count } >= 5)
    }
}
