import Basics
import LoopTracking
import Testing
import TrackingEvents

/// Keeps what it is given; its clock is set by hand.
private final class Bench: TrackingSink {
    private let events = Lock<[StampedEvent]>([])
    private let time = Lock<Int64>(1_000_000)

    func flush() async throws -> FlushReceipt { FlushReceipt() }
    func record(_ event: StampedEvent) { events.withLock { $0.append(event) } }
    var all: [StampedEvent] { events.withLock { $0 } }
    var names: [String] { all.map(\.event.name) }
    var clock: WallClock { WallClock { [time] in time.withLock { $0 } } }
    func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}

@Suite struct TrackerTests {
    private let bench = Bench()
    private let minute: Int64 = 60_000

    private func makeTracker(user: String? = "u1", shared: TrackingProperties = [:]) -> Tracker {
        Tracker(
            to: bench, user: user, context: ["app": "test"], sharedProperties: shared, clock: bench.clock, random: SeededRandom(seed: 1))
    }

    @Test func `the first event is preceded by the session's context, told once`() {
        let tracker = makeTracker()
        tracker.track(.event("a", ["k": 1]))
        tracker.track(.event("b"), system: "shop")
        let events = bench.all
        #expect(bench.names == ["session_started", "a", "b"])
        #expect(events.map(\.sequence) == [1, 2, 3])
        #expect(events.map(\.kind) == [.meta, .track, .track])
        #expect(events[0].event.properties == ["app": "test", "sample_rate": 1.0])
        #expect(events[1].event.properties == ["k": 1])
        #expect(events.map(\.system) == [nil, nil, "shop"])
        #expect(Set(events.map(\.session)).count == 1)
        #expect(events.allSatisfy { $0.user == "u1" && $0.timeMilliseconds == 1_000_000 })
        #expect(Set(events.map(\.id)).count == 3)
    }

    @Test func `nothing is written before the first event`() {
        let tracker = makeTracker()
        #expect(bench.all.isEmpty)
        #expect(tracker.session == nil)
    }

    @Test func `a clock that is set back and right again ends no session`() {
        let tracker = makeTracker()
        tracker.track(.event("a"))
        bench.advance(-60 * minute)
        tracker.track(.event("b"))
        bench.advance(60 * minute)
        tracker.track(.event("c"))
        #expect(bench.names == ["session_started", "a", "b", "c"])
    }

    @Test func `an anonymous id starts with a- and stays until the user is known`() {
        let tracker = makeTracker(user: nil)
        tracker.track(.event("a"))
        let anonymous = tracker.user
        #expect(anonymous.hasPrefix("a-"))
        tracker.identify("u9")
        tracker.track(.event("b"))
        #expect(bench.names == ["session_started", "a", "identified", "b"])
        #expect(bench.all.map(\.user) == [anonymous, anonymous, "u9", "u9"])
        #expect(bench.all[2].event.properties == ["anonymous": .string(anonymous)])
        #expect(bench.all[2].kind == .meta && bench.all[2].sequence == 3)
    }

    @Test func `an anonymous id of an earlier run is kept`() {
        let tracker = Tracker(to: bench, anonymousID: "a-earlier", clock: bench.clock)
        #expect(tracker.user == "a-earlier")
    }

    @Test func `identifying the same user again changes nothing`() {
        let tracker = makeTracker(user: nil)
        tracker.identify("u9")
        let count = bench.all.count
        tracker.identify("u9")
        #expect(bench.all.count == count)
    }

    @Test func `another user on the device is another session, and nothing is joined`() {
        let tracker = makeTracker(user: nil)
        tracker.track(.event("a"))
        tracker.identify("u1")
        tracker.identify("u2")
        tracker.track(.event("b"))
        #expect(bench.names == ["session_started", "a", "identified", "session_started", "b"])
        #expect(bench.all.last?.user == "u2")
    }

    @Test func `reset forgets the user and begins anew`() {
        let tracker = makeTracker()
        tracker.track(.event("a"))
        tracker.reset()
        tracker.track(.event("b"))
        let last = bench.all.last
        #expect(last?.user?.hasPrefix("a-") == true)
        #expect(last?.session != bench.all.first?.session)
        #expect(last?.sequence == 2)
    }

    @Test func `no session names the one of another person`() {
        let tracker = makeTracker()
        tracker.track(.event("a"))
        tracker.reset()
        tracker.track(.event("b"))
        tracker.identify("u2")
        tracker.identify("u3")
        tracker.track(.event("c"))
        let starts = bench.all.filter { $0.event.name == "session_started" }
        #expect(starts.count == 3 && starts.allSatisfy { $0.event.properties["previous_session"] == nil })
    }

    @Test func `shared properties are on every event that does not bring its own`() {
        let tracker = makeTracker(shared: ["plan": "free"])
        tracker.track(.event("a"))
        tracker.track(.event("b", ["plan": "pro"]))
        tracker.setSharedProperty(nil, forKey: "plan")
        tracker.track(.event("c"))
        #expect(bench.all.dropFirst().map { $0.event.properties["plan"] } == ["free", "pro", nil])
        #expect(bench.all[0].event.properties["plan"] == nil)
    }

    @Test func `every sink gets every event`() {
        let second = Bench()
        let tracker = Tracker(to: bench, second, clock: bench.clock)
        tracker.track(.event("a"))
        #expect(bench.all == second.all)
        #expect(bench.all.count == 2)
    }

    @Test func `eight threads keep one session's numbers without holes, in order`() async {
        let tracker = makeTracker()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask { for _ in 0..<2_000 { tracker.track(.event("t\(thread)")) } }
            }
        }
        #expect(bench.all.map(\.sequence) == (1...16_001).map { Int64($0) })
    }

    @Test func `flush reaches every sink, and the first error comes back`() async {
        struct Failing: TrackingSink {
            struct Full: Error {}
            let seen: Lock<Int>
            func record(_ event: StampedEvent) {}
            func flush() async throws -> FlushReceipt {
                seen.withLock { $0 += 1 }
                throw Full()
            }
        }
        let seen = Lock(0)
        let tracker = Tracker(to: Failing(seen: seen), Failing(seen: seen))
        await #expect(throws: Failing.Full.self) { try await tracker.flush() }
        #expect(seen.withLock { $0 } == 2)
    }
}
