import AllocationCount
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

@Suite struct PlannedAllocationTests {
    private struct NoSink: TrackingSink {
        nonisolated func record(_ event: StampedEvent) {}
        nonisolated func flush() async throws -> FlushReceipt { FlushReceipt() }
    }

    @Test(.enabled(if: allocations_of_this_thread() >= 0, "this system's allocator cannot be counted"))
    func `a planned event allocates no more than the same event made by hand`() {
        let tracker = Tracker(to: NoSink(), user: "u1")
        func allocations(_ work: (Int) -> Void) -> Int {
            for number in 0..<100 { work(number) }
            let before = allocations_of_this_thread()
            for number in 0..<1_000 { work(number) }
            return allocations_of_this_thread() - before
        }
        let byHand = allocations { number in
            tracker.track(
                .event(
                    "cart_added", ["sku": "A1", "items": .int(number % 99 + 1), "price": 9.5, "plan": "pro", "mail": .sensitive("a@b.c")]))
        }
        let planned = allocations { number in
            tracker.track(OddEvent.cartAdded(sku: "A1", items: number % 99 + 1, price: 9.5, plan: .pro, mail: "a@b.c"))
        }
        #expect(planned <= byHand)
    }
}
