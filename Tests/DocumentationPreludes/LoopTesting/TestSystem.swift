import Testing
private let stub = ShopService()
private let sneaker = Product(sku: "sku-1")
