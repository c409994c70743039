import Basics
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

@Suite struct TrackerReceiptTests {
    private let small = MemorySink(capacity: 4)
    private let large = MemorySink()

    @Test func `a flush gives a receipt of each sink, in order, as running totals`() async throws {
        let tracker = Tracker(to: small, large)
        for _ in 0..<3 { tracker.track(.event("a")) }
        let first = try await tracker.flush()
        #expect(first.sinks == [FlushReceipt(recorded: 4), FlushReceipt(recorded: 4)] && first.isComplete())
        tracker.track(.event("b"))
        let second = try await tracker.flush()
        #expect(second.sinks == [FlushReceipt(recorded: 5, droppedByReason: [.overflow: 1]), FlushReceipt(recorded: 5)])
        #expect(!second.isComplete() && !second.isComplete(since: first))
        // A flush in between hides no loss: the third receipt still tells of it since the first.
        let third = try await tracker.flush()
        #expect(!third.isComplete(since: first) && third.isComplete(since: second))
    }

    @Test func `what the tracker itself drops counts, too`() async throws {
        let tracker = Tracker(to: large, consent: .pending)
        let before = try await tracker.flush()
        for _ in 0..<2_100 { tracker.track(.event("a")) }
        let after = try await tracker.flush()
        #expect(after.dropped == 101 && !after.isComplete(since: before) && before.isComplete())
    }

    @Test func `a tracker without sinks loses nothing it was to keep`() async throws {
        let tracker = Tracker()
        tracker.track(.event("a"))
        #expect(try await tracker.flush() == TrackerReceipt())
    }
}
