import TrackingEvents

struct Product: Equatable, Sendable {
    var sku = ""
}

enum ShopState { case loading, productLoaded(Product) }

let product = Product()
