/// What the shop asks of the outside world. Each call may take time and may fail.
public protocol ShopBackend {
    func product(_ sku: String) async throws -> Product
    func add(_ product: Product, to cart: Cart) async throws -> Cart
    /// - Returns: the order's number.
    func pay(_ cart: Cart) async throws -> Int
}

/// Why a call of the backend failed.
public enum ShopError: Error, Equatable, CustomStringConvertible {
    case unknownProduct(String)
    case timeout
    case cardDeclined
    case soldOut
    case paymentSheet

    public var description: String {
        switch self {
        case .unknownProduct(let sku): "no product \(sku)"
        case .timeout: "timeout"
        case .cardDeclined: "card declined"
        case .soldOut: "sold out"
        case .paymentSheet: "payment sheet did not open"
        }
    }
}
