/// Something that the shop sells.
public struct Product: Sendable, Equatable, Codable {
    public let sku: String
    public let name: String
    /// In cents.
    public let price: Int

    /// The shop's assortment: small enough to know, large enough that products differ in how they sell.
    public static let assortment: [Product] = {
        let things = ["Mug", "Lamp", "Chair", "Scarf", "Kettle", "Notebook", "Backpack", "Clock", "Blanket", "Vase"]
        let looks = ["Plain", "Blue", "Oak", "Tall", "Small", "Striped"]
        return things.enumerated().flatMap { thing, name in
            looks.enumerated().map { look, adjective in
                let number = thing * looks.count + look
                return Product(
                    sku: "sku-\(number + 1)", name: "\(adjective) \(name)", price: 490 + (thing * 1_750 + look * 380) % 15_000)
            }
        }
    }()
}

/// What a shopper has collected.
public struct Cart: Sendable, Equatable, Codable {
    public var products: [Product] = []
    /// The code that was applied.
    public var coupon: String?

    public init() {}

    /// In cents.
    public var total: Int { products.reduce(0) { $0 + $1.price } }
}
