import Basics
import Testing
import TrackingEvents

@Suite struct FlushReceiptTests {
    @Test(
        arguments: [
            ([:], [:], true), ([.overflow: 1], [:], false), ([.overflow: 1], [.overflow: 1], true),
            ([.overflow: 2], [.overflow: 1], false), ([.overflow: 1, .storage: 1], [.overflow: 1], false),
            // As many drops for another reason, and two receipts in the wrong order.
            ([.storage: 1], [.overflow: 1], false), ([:], [.overflow: 1], false), ([.overflow: 0], [:], true),
        ] as [([DropReason: Int], [DropReason: Int], Bool)])
    func `a receipt is complete if nothing was lost since another`(later: [DropReason: Int], earlier: [DropReason: Int], isComplete: Bool) {
        let later = FlushReceipt(recorded: 9, droppedByReason: later)
        #expect(later.isComplete(since: FlushReceipt(recorded: 5, droppedByReason: earlier)) == isComplete)
        #expect(later.isComplete() == (later.dropped == 0))
    }

    @Test func `the keys of reasons are those of the format`() {
        #expect(
            DropReason.allCases.map(\.rawValue) == ["overflow", "storage", "too_large", "closed", "retention", "forgotten", "filtered"])
    }

    @Test func `a closure sink calls the flush that it was given, and flushes nothing without one`() async throws {
        struct Offline: Error {}
        #expect(try await ClosureSink { _ in }.flush() == FlushReceipt())
        let calls = Lock(0)
        let sink = ClosureSink(flush: {
            calls.withLock { $0 += 1 }
            return FlushReceipt(recorded: 7)
        }) { _ in }
        #expect(try await sink.flush().recorded == 7 && calls.withLock { $0 } == 1)
        await #expect(throws: Offline.self) { try await ClosureSink(flush: { throw Offline() }) { _ in }.flush() }
    }
}
