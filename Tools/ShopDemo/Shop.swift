public import LoopCore

/// A small shop: the product page of PromisedArchitectureKit's README, and what follows it up to the payment.
///
/// One state, one reducer, one tracking function; whatever takes time is behind ``ShopBackend``.
public struct Shop {
    /// What the shopper sees.
    public enum State: Sendable, Equatable, Codable {
        case start
        case catalog(Cart)
        case loading(sku: String, Cart)
        case productLoaded(Product, Cart)
        case addedToCart(Product, Cart)
        case cart(Cart)
        case couponApplied(String, Cart)
        case checkout(Cart)
        case paying(Cart)
        case paid(Cart, orderNumber: Int)
        case paymentFailed(Cart, reason: String)
        case error(String, Cart)
    }

    /// What the shopper does.
    public enum Event: Sendable, Equatable, Codable {
        case openCatalog
        case openProduct(sku: String)
        case addToCart
        case openCart
        case applyCoupon(String)
        case startCheckout
        case pay
    }

    private let backend: any ShopBackend

    public init(backend: any ShopBackend) { self.backend = backend }

    /// The whole behaviour of the shop. An event that makes no sense in the current state changes nothing.
    public func reduce(state: State, event: Event) -> Next<State> {
        let backend = backend
        let cart = state.cart
        switch (state, event) {
        case (_, .openCatalog):
            return .state(.catalog(cart))
        case (_, .openProduct(let sku)):
            return .run { .productLoaded(try await backend.product(sku), cart) }
                .stateWhenLoading(.loading(sku: sku, cart))
                .recover { .value(.error("\($0)", cart)) }
        case (.productLoaded(let product, _), .addToCart), (.addedToCart(let product, _), .addToCart):
            return .run { .addedToCart(product, try await backend.add(product, to: cart)) }
                .recover { .value(.error("\($0)", cart)) }
        case (_, .openCart):
            return .state(.cart(cart))
        case (.cart(var cart), .applyCoupon(let code)) where !cart.products.isEmpty:
            cart.coupon = code
            return .state(.couponApplied(code, cart))
        case (.cart(let cart), .startCheckout) where !cart.products.isEmpty, (.couponApplied(_, let cart), .startCheckout):
            return .state(.checkout(cart))
        case (.checkout(let cart), .pay), (.paymentFailed(let cart, _), .pay):
            return .run { .paid(cart, orderNumber: try await backend.pay(cart)) }
                .stateWhenLoading(.paying(cart))
                .recover { .value(.paymentFailed(cart, reason: "\($0)")) }
        case (_, .addToCart), (_, .applyCoupon), (_, .startCheckout), (_, .pay):
            return .state(state)
        }
    }

    /// All analytics of the shop, as a pure function from a state to the event that it means.
    ///
    /// The compiler refuses events that `tracking-plan.json` does not have.
    public static func trackingEvent(_ state: State) -> ShopEvent? {
        switch state {
        case .start, .loading, .paying: return nil
        case .catalog: return .catalogViewed
        case .productLoaded(let product, _): return .productViewed(sku: product.sku, price: euros(product.price))
        case .addedToCart(let product, let cart): return .cartAdded(sku: product.sku, items: cart.products.count)
        case .cart(let cart): return .cartViewed(items: cart.products.count)
        case .couponApplied(let code, let cart): return .couponApplied(coupon: code, items: cart.products.count)
        case .checkout(let cart):
            return .checkoutStarted(items: cart.products.count, total: euros(cart.total), coupon: cart.coupon)
        case .paid(let cart, let orderNumber):
            return .paymentSucceeded(order: orderNumber, total: euros(cart.total), coupon: cart.coupon)
        case .paymentFailed(_, let reason): return .paymentFailed(reason: reason)
        case .error(let message, _): return .errorShown(message: message)
        }
    }

    private static func euros(_ cents: Int) -> Double { Double(cents) / 100 }
}

extension Shop.State {
    /// The shopper's cart, in any state.
    public var cart: Cart {
        switch self {
        case .start: Cart()
        case .catalog(let cart), .loading(_, let cart), .productLoaded(_, let cart), .addedToCart(_, let cart), .cart(let cart),
            .couponApplied(_, let cart), .checkout(let cart), .paying(let cart), .paymentFailed(let cart, _), .error(_, let cart):
            cart
        // What was paid is not in the cart any more.
        case .paid: Cart()
        }
    }
}
