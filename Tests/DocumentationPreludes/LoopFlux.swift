import LoopCore
import LoopFlux
import LoopTesting
import LoopTracking
import TrackingEvents

struct Product: Equatable, Sendable {
    var sku = ""
}

let mug = Product(sku: "mug")
let sku = "mug"
@MainActor let dispatcher = Dispatcher()
@MainActor let tracker = Tracker(to: MemorySink())
let api = ShopService()
let socket = Socket()

struct ShopService {
    func products() async throws -> [Product] { [] }
    func price(of sku: String) async throws -> Int { 0 }
}

struct Socket: Sendable {
    func onMessage(_ handle: @escaping @Sendable (String) -> Void) {}
}

enum Shop {
    struct State: Equatable { var product: Promise<Product> = .idle() }

    final class Controller {
        init(_ inbox: ActionInbox) {}
        func load(_ sku: String) {}
        func dispose() {}
    }

    struct Load: Action { let sku: String }
    struct Loaded: PayloadAction { let result: Result<Product, any Error> }

    static func trackingEvent(_ state: State) -> TrackingEvent? { nil }
}

typealias ShopStore = Store<Shop.State, Shop.Controller>

struct ProductLoaded: Action { let product: Product }

struct ProductsLoaded: PayloadAction { let result: Result<[Product], any Error> }
