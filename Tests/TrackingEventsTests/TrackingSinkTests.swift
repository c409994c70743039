import Basics
import Testing
import TrackingEvents

@Suite struct TrackingSinkTests {
    private func event(_ number: Int) -> StampedEvent {
        var random = SeededRandom(seed: UInt64(number))
        return StampedEvent(
            timeMilliseconds: Int64(number), event: .event("e\(number)"), id: EventID(milliseconds: Int64(number), random: &random))
    }

    @Test func `a closure sink hands on each event in order, unchanged`() async throws {
        let seen = Lock<[StampedEvent]>([])
        let sink = ClosureSink { event in seen.withLock { $0.append(event) } }
        let events = (0..<5).map(event)
        for event in events { sink.record(event) }
        // A sink without a buffer has nothing to flush.
        try await sink.flush()
        #expect(seen.withLock { $0 } == events)
    }

    @Test func `a sink of one's own needs two functions`() async throws {
        final class Count: TrackingSink {
            let count = Lock(0)
            func flush() async throws -> FlushReceipt { FlushReceipt() }
            func record(_ event: StampedEvent) { count.withLock { $0 += 1 } }
        }
        let sink = Count()
        let erased: any TrackingSink = sink
        erased.record(event(1))
        try await erased.flush()
        #expect(sink.count.withLock { $0 } == 1)
        // This sink keeps nothing apart: a decision about consent changes nothing, and an erasure is done at once.
        #expect(!erased.spoolsWhilePending)
        erased.setConsent(.denied)
        erased.record(event(2))
        let ends = Lock<[String]>([])
        erased.erase { error in ends.withLock { $0.append(error.map { "\($0)" } ?? "done") } }
        #expect(sink.count.withLock { $0 } == 2 && ends.withLock { $0 } == ["done"])
    }

    @Test func `the machine's clock tells milliseconds of this century`() {
        let now = WallClock.system.milliseconds
        #expect(now > 1_700_000_000_000)
        #expect(now < 4_102_444_800_000)
    }

    @Test func `a clock may be any function`() {
        let time = Lock<Int64>(5)
        let clock = WallClock { time.withLock { $0 } }
        #expect(clock.milliseconds == 5)
        time.withLock { $0 = -7 }
        #expect(clock.milliseconds == -7)
    }

    @Test func `values are equal if they are written alike, NaN too`() {
        #expect(TrackingValue.double(.nan) == .double(.nan))
        #expect(TrackingValue.array([.double(.nan), 1]) == .array([.double(.nan), 1]))
        #expect(TrackingValue.int(1) != .double(1))
        #expect(TrackingValue.string("a") != .sensitive("a"))
        #expect(TrackingValue.sensitive("a") == .sensitive(.string("a")))
        #expect(TrackingEvent("a", ["k": .double(.nan)]) == TrackingEvent("a", ["k": .double(.nan)]))
    }
}
