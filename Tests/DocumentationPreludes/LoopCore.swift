import LoopCore
import LoopLogging
import LoopTesting
import LoopTracing
import LoopTracking
import TrackingEvents

struct Product: Equatable, Sendable {
    var sku = ""
}

enum Shop {
    enum State: Equatable { case start, loading, loaded(Product) }
    enum Event { case load(String), loaded(Product) }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .load: state = .loading
        case .loaded(let product): state = .loaded(product)
        }
    }

    static func trackingEvent(_ state: State) -> TrackingEvent? { state == .start ? nil : .event("product_shown") }
}

@MainActor final class ShopView {
    var title = ""
    func render(_ state: Shop.State) { title = "\(state)" }
}

@MainActor let shop = ShopService()
@MainActor let view = ShopView()
@MainActor let measurements = Measurements()
@MainActor let tracker = Tracker(to: MemorySink())
let socket = Socket()

final class ShopService: Sendable {
    func product(_ id: String) async throws -> Product { Product(sku: id) }
    func search(_ query: String) async throws -> [Product] { [] }
}

struct Socket: Sendable {
    func onMessage(_ handle: @escaping @Sendable (String) -> Void) {}
}
