import LoopCore
import LoopTesting
import LoopTracking
import TrackingEvents

struct Product: Equatable, Sendable {
    var sku = ""
}

struct Order {
    var total = 0.0
}

enum Shop {
    enum State { case start, loading, productLoaded(Product), ordered(Order) }
    enum Event { case tapped(String), load(String) }
    static func reduce(state: inout State, event: Event) {}
    static func trackingEvent(_ state: State) -> TrackingEvent? { nil }
}

@MainActor let tracker = Tracker(to: MemorySink())
@MainActor let system = System(initialState: Shop.State.start, reducer: Shop.reduce)
