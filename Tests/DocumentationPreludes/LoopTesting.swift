import LoopCore
import LoopTesting

struct Product: Equatable {
    var sku = ""
}

struct ShopService {
    func product() async throws -> Product { Product() }
}

enum Shop {
    struct State: Equatable {
        var wanted: String?
        var product: Product?
    }

    enum Event: Equatable { case open(String), loaded(Product) }

    static func reduce(state: inout State, event: Event) {}

    static func load(from service: ShopService) -> Feedback<State, Event> {
        .onChange(of: \.wanted) { _ in .run { .loaded(try await service.product()) } }
    }
}

let path = "events"
