import Foundation
import LoopTracking
import TrackingEvents

/// What it costs to make and track an event of a tracking plan, beside the same event made by hand.
struct PlannedBenchmarks {
    let events: Int
    let rounds: Int

    /// Keeps nothing, so that the benchmark measures only the event and the tracker.
    private struct NoSink: TrackingSink {
        func record(_ event: StampedEvent) {}
        func flush() async throws -> FlushReceipt { FlushReceipt() }
    }

    private let tracker = Tracker(to: NoSink(), user: "u1")
    private let skus = (0..<64).map { "sku-\($0)" }

    @inline(never)
    private func trackUnplanned(_ count: Int) {
        for number in 0..<count {
            tracker.track(
                .event(
                    "product_viewed",
                    [
                        "sku": .string(skus[number & 63]), "price": .double(Double(number)), "position": .int(number),
                        "first": .bool(number & 1 == 0),
                    ]))
        }
    }

    @inline(never)
    private func trackPlanned(_ count: Int) {
        for number in 0..<count {
            tracker.track(
                BenchEvent.productViewed(sku: skus[number & 63], price: Double(number), position: number, first: number & 1 == 0))
        }
    }

    @MainActor func run() {
        var (byHand, planned): ([Double], [Double]) = ([], [])
        for round in 0...rounds {
            for (work, isPlanned) in [(trackUnplanned, false), (trackPlanned, true)] {
                let start = threadProcessorSeconds()
                work(events)
                let seconds = threadProcessorSeconds() - start
                if round == 0 { continue }
                if isPlanned { planned.append(seconds) } else { byHand.append(seconds) }
            }
        }
        let base = Measurement(name: "made by hand", events: events, seconds: byHand)
        let other = Measurement(name: "of a tracking plan", events: events, seconds: planned)
        var table = Table(
            "**Planned events** (`Benchmarks planned`), \(thousands(Double(events))) events of four properties through a tracker, processor time",
            comparedWith: "by hand", base: base)
        table.add(base)
        table.add(other)
        table.show()
        let ratio = other.median / base.median
        judge("a planned event takes \(fixed(ratio, 2)) of the time of one made by hand", target: "at most 1.05", isMet: ratio <= 1.05)
    }
}
