import LoopCore
import LoopLogging
import LoopTracking
import TrackingEvents

/// An app with the loop, its log and its tracking, and nothing else: `Tools/conformance/app_size.py` prints its size.
@main struct SmallApp {
    private enum Event: Sendable { case add(String), pay }

    private struct Cart: Sendable {
        var items: [String] = []
        var isPaid = false
    }

    private static func trackingEvent(_ cart: Cart) -> TrackingEvent? {
        cart.items.last.map { TrackingEvent("item_added", ["sku": .string($0)]) }
    }

    @MainActor static func main() async throws {
        let tracker = Tracker(to: ClosureSink { print($0.event.name) })
        let system = System(
            initialState: Cart(),
            reducer: { (cart: inout Cart, event: Event) in
                switch event {
                case .add(let sku): cart.items.append(sku)
                case .pay: cart.isPaid = true
                }
            }
        ).attach(
            .log(.changes),
            .track(to: tracker, trackingEvent))
        for event in [Event.add("a1"), .pay] { system.send(event) }
        try await tracker.flush()
    }
}
