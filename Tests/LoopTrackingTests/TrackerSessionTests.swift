import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

/// The edges of the session rule, by a clock that is moved by hand.
@Suite struct TrackerSessionTests {
    private let sink = MemorySink()
    private let time = ManualWallClock()
    private let minute: Int64 = 60_000

    private func makeTracker(_ rule: SessionRule = SessionRule(), sampleRate: Double = 1) -> Tracker {
        Tracker(to: sink, user: "u1", rule: rule, sampleRate: sampleRate, clock: time.clock, random: SeededRandom(seed: 1))
    }

    private var sessions: Int { sink.events(named: "session_started").count }

    @Test(arguments: [(-1, 1), (0, 1), (1, 2)])
    func `thirty idle minutes belong to the session, a millisecond more does not`(more: Int64, sessions expected: Int) {
        let tracker = makeTracker()
        tracker.track(.event("a"))
        time.advance(by: .milliseconds(30 * minute + more))
        tracker.track(.event("b"))
        let started = "session_started"
        #expect(sink.all.map(\.event.name) == (expected == 1 ? [started, "a", "b"] : [started, "a", started, "b"]))
        #expect(sink.all.map(\.sequence) == (expected == 1 ? [1, 2, 3] : [1, 2, 1, 2]))
        #expect(Set(sink.all.compactMap(\.session)).count == expected)
    }

    @Test(arguments: [(-1, 1), (0, 1), (1, 2)])
    func `twenty-four hours belong to the session, a millisecond more does not, however busy it is`(more: Int64, sessions expected: Int) {
        let tracker = makeTracker()
        tracker.track(.event("a"))
        for _ in 0..<95 {
            time.advance(by: .milliseconds(15 * minute))
            tracker.track(.event("tick"))
        }
        #expect(sessions == 1)
        time.advance(by: .milliseconds(24 * 60 * minute + more - 95 * 15 * minute))
        tracker.track(.event("last"))
        #expect(sessions == expected)
        let starts = sink.events(named: "session_started")
        if expected == 2 { #expect(starts[1].event.properties["previous_session"] == starts[0].session.map { .string($0) }) }
    }

    @Test func `identifying keeps a session alive, and begins a new one after the pause`() {
        let tracker = Tracker(to: sink, clock: time.clock)
        tracker.track(.event("a"))
        time.advance(by: .milliseconds(20 * minute))
        tracker.identify("u1")
        time.advance(by: .milliseconds(20 * minute))
        tracker.track(.event("b"))
        #expect(sessions == 1)
        time.advance(by: .milliseconds(31 * minute))
        tracker.reset()
        tracker.identify("u2")
        #expect(sessions == 2)
    }

    @Test func `limits of one's own are kept to the millisecond, and of zero end a session as soon as time goes on`() {
        let tracker = makeTracker(SessionRule(maxIdle: .zero, maxLength: .milliseconds(10)))
        tracker.track(.event("a"))
        tracker.track(.event("b"))
        #expect(sessions == 1)
        time.advance(by: .milliseconds(1))
        tracker.track(.event("c"))
        #expect(sessions == 2)
    }

    @Test func `two trackers never share a session`() {
        let (one, two) = (makeTracker(), Tracker(to: sink, user: "u1", clock: time.clock, random: SeededRandom(seed: 2)))
        one.track(.event("a"))
        two.track(.event("a"))
        #expect(one.session != nil && one.session != two.session)
        #expect(sessions == 2)
    }
}

/// Which sessions are tracked when not all are.
@Suite struct TrackerSamplingTests {
    private let sink = MemorySink()
    private let time = ManualWallClock()

    private func makeTracker(rate: Double, user: String? = "u1", seed: UInt64 = 1) -> Tracker {
        Tracker(to: sink, user: user, sampleRate: rate, clock: time.clock, random: SeededRandom(seed: seed))
    }

    /// Tracks so many sessions and returns the ids of all of them.
    private func run(_ tracker: Tracker, sessions: Int) -> [String] {
        (0..<sessions).compactMap { _ in
            tracker.track(.event("a"))
            tracker.track(.event("b"))
            defer { tracker.endSession() }
            return tracker.session
        }
    }

    @Test(arguments: [0.1, 0.25, 0.5, 0.9])
    func `the share is right, and a session is there whole or not at all`(rate: Double) {
        let ids = run(makeTracker(rate: rate), sessions: 4_000)
        let sampled = Set(sink.all.compactMap(\.session))
        // The number may be off by four standard deviations.
        let deviation = (4_000 * rate * (1 - rate)).squareRoot()
        #expect(abs(Double(sampled.count) - 4_000 * rate) < 4 * deviation)
        #expect(sink.all.count == 3 * sampled.count && sampled.isSubset(of: ids))
        #expect(sink.all.allSatisfy { $0.kind != .meta || $0.event.properties["sample_rate"] == .double(rate) })
        #expect(sink.all.map(\.sequence) == sampled.flatMap { _ in [1, 2, 3] })
    }

    @Test func `the answer follows from the session's id: the share of each tracked session lies below the rate`() {
        var before: Set<String> = []
        for rate in [0.05, 0.2, 0.6, 1] {
            sink.removeAll()
            _ = run(makeTracker(rate: rate), sessions: 500)
            let now = Set(sink.all.compactMap(\.session))
            // A session that is not tracked takes no numbers for event ids, so that each rate has other session ids.
            for session in now { #expect(SessionShare.of(session) < rate) }
            before = now
        }
        #expect(before.count == 500)
    }

    @Test(arguments: [(0.0, 0), (-1, 0), (1, 10), (7, 10), (.infinity, 10), (.nan, 10)])
    func `rates beyond the ends are the ends`(rate: Double, sessions: Int) {
        _ = run(makeTracker(rate: rate), sessions: 10)
        #expect(sink.events(named: "session_started").count == sessions)
    }

    @Test func `another rate counts from the next session on`() {
        let tracker = makeTracker(rate: 0)
        tracker.track(.event("a"))
        tracker.setSampleRate(1)
        tracker.track(.event("b"))
        #expect(sink.all.count == 0)
        tracker.endSession()
        tracker.track(.event("c"))
        #expect(sink.names == ["c"])
        #expect(sink.all[0].event.properties["previous_session"] == nil, "a session that gave nothing is nobody's predecessor")
    }

    @Test func `a session that is not sampled lasts as long as any other`() {
        let tracker = makeTracker(rate: 0)
        tracker.track(.event("a"))
        let session = tracker.session
        for _ in 0..<5 {
            time.advance(by: .seconds(20 * 60))
            tracker.track(.event("a"))
        }
        #expect(tracker.session == session)
        time.advance(by: .seconds(31 * 60))
        tracker.track(.event("a"))
        #expect(tracker.session != session)
    }

    @Test func `an identification is tracked once, in the next session that is sampled`() {
        let tracker = makeTracker(rate: 1, user: nil)
        tracker.track(.event("a"))
        let anonymous = tracker.user
        tracker.setSampleRate(0)
        tracker.endSession()
        tracker.identify("u1")
        tracker.track(.event("b"))
        tracker.setSampleRate(1)
        tracker.endSession()
        tracker.track(.event("c"))
        tracker.endSession()
        tracker.track(.event("d"))
        #expect(sink.all.map(\.event.name) == ["session_started", "a", "session_started", "identified", "c", "session_started", "d"])
        #expect(sink.events(named: "identified").map(\.event.properties) == [["anonymous": .string(anonymous)]])
        #expect(sink.all.map(\.sequence) == [1, 2, 1, 2, 3, 1, 2])
    }

    @Test func `an identification is not tracked for the next user`() {
        let tracker = makeTracker(rate: 0, user: nil)
        tracker.identify("u1")
        tracker.reset()
        tracker.setSampleRate(1)
        tracker.track(.event("a"))
        #expect(sink.events(named: "identified").isEmpty)
    }
}
