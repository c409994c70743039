import LoopCore
import ShopDemo
import Testing
import TrackingEvents

/// Answers at once, as it is told to.
private struct Answers: ShopBackend {
    var failure: ShopError?

    func product(_ sku: String) async throws -> Product {
        if let failure { throw failure }
        return try Product.assortment.first { $0.sku == sku } ?? { throw ShopError.unknownProduct(sku) }()
    }

    func add(_ product: Product, to cart: Cart) async throws -> Cart {
        if let failure { throw failure }
        var cart = cart
        cart.products.append(product)
        return cart
    }

    func pay(_ cart: Cart) async throws -> Int {
        if let failure { throw failure }
        return 17
    }
}

@MainActor @Suite struct ShopTests {
    private func shop(_ state: Shop.State = .start, failing: ShopError? = nil) -> System<Shop.State, Shop.Event> {
        System(initialState: state, next: Shop(backend: Answers(failure: failing)).reduce)
    }

    private let mug = Product.assortment[0]
    private var cart: Cart {
        var cart = Cart()
        cart.products = [mug]
        return cart
    }

    @Test func `a product page shows a spinner and then the product`() async {
        let system = shop(.catalog(Cart()))
        var shown: [Shop.State] = []
        system.bind { shown.append($0) }
        system.send(.openProduct(sku: mug.sku))
        await system.settled()
        #expect(shown == [.catalog(Cart()), .loading(sku: mug.sku, Cart()), .productLoaded(mug, Cart())])
    }

    @Test func `a product that does not load shows the error and keeps the cart`() async {
        let system = shop(.catalog(cart), failing: .timeout)
        system.send(.openProduct(sku: mug.sku))
        await system.settled()
        #expect(system.state == .error("timeout", cart))
    }

    @Test func `an unknown product is an error that names it`() async {
        let system = shop()
        system.send(.openProduct(sku: "sku-none"))
        await system.settled()
        #expect(system.state == .error("no product sku-none", Cart()))
    }

    @Test func `a shopper gets from the product to the order`() async {
        let system = shop()
        for event in [.openCatalog, .openProduct(sku: mug.sku), .addToCart, .openCart, .startCheckout, .pay] as [Shop.Event] {
            system.send(event)
        }
        await system.settled()
        #expect(system.state == .paid(cart, orderNumber: 17))
        #expect(system.state.cart == Cart())
        #expect(system.eventNumber == 6)
    }

    @Test func `a payment that fails can be tried again`() async {
        let system = shop(.checkout(cart), failing: .cardDeclined)
        system.send(.pay)
        await system.settled()
        #expect(system.state == .paymentFailed(cart, reason: "card declined"))
        system.send(.pay)
        await system.settled()
        #expect(system.eventNumber == 2)
    }

    @Test(arguments: [Shop.Event.addToCart, .applyCoupon("TEN"), .startCheckout, .pay])
    func `an event that makes no sense changes nothing`(event: Shop.Event) async {
        let system = shop(.catalog(Cart()))
        system.send(event)
        await system.settled()
        #expect(system.state == .catalog(Cart()))
    }

    @Test func `a coupon stays with the cart up to the payment`() async {
        let system = shop(.cart(cart))
        var discounted = cart
        discounted.coupon = "TEN"
        system.send(.applyCoupon("TEN"))
        #expect(system.state == .couponApplied("TEN", discounted))
        #expect(Shop.trackingEvent(system.state)?.trackingEvent == .event("coupon_applied", ["coupon": "TEN", "items": 1]))
        system.send(.startCheckout)
        #expect(Shop.trackingEvent(system.state)?.trackingEvent.properties["coupon"] == .string("TEN"))
        system.send(.pay)
        await system.settled()
        #expect(Shop.trackingEvent(system.state)?.trackingEvent.properties["coupon"] == .string("TEN"))
        #expect(system.state.cart == Cart())
    }

    @Test func `an empty cart takes no coupon`() async {
        let system = shop(.cart(Cart()))
        system.send(.applyCoupon("TEN"))
        #expect(system.state == .cart(Cart()))
    }

    @Test func `an empty cart cannot be checked out`() async {
        let system = shop(.cart(Cart()))
        system.send(.startCheckout)
        #expect(system.state == .cart(Cart()))
    }

    @Test func `the tracking function names what the product team asks about`() {
        func name(_ state: Shop.State) -> String? { Shop.trackingEvent(state)?.trackingEvent.name }
        #expect(name(.start) == nil)
        #expect(name(.loading(sku: "x", cart)) == nil)
        #expect(name(.paying(cart)) == nil)
        #expect(name(.catalog(cart)) == "catalog_viewed")
        #expect(name(.productLoaded(mug, cart)) == "product_viewed")
        #expect(name(.addedToCart(mug, cart)) == "cart_added")
        #expect(name(.cart(cart)) == "cart_viewed")
        #expect(name(.couponApplied("TEN", cart)) == "coupon_applied")
        #expect(name(.checkout(cart)) == "checkout_started")
        #expect(name(.paid(cart, orderNumber: 1)) == "payment_succeeded")
        #expect(name(.paymentFailed(cart, reason: "x")) == "payment_failed")
        #expect(name(.error("x", cart)) == "error_shown")
        #expect(Shop.trackingEvent(.productLoaded(mug, cart))?.trackingEvent.properties["sku"] == .string(mug.sku))
    }
}
