private enum Shop {
    struct State: Equatable { var product: Promise<Product> = .idle() }
    final class Controller { func load(_ sku: String) {} }
    struct Load: Action { let sku: String }
    struct Loaded: PayloadAction { let result: Result<Product, any Error> }
}
private typealias Load = Shop.Load
private typealias Loaded = Shop.Loaded
let store = Store(Shop.State(), dispatcher: dispatcher, controller: Shop.Controller())
