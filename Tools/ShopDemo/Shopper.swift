/// How a shopper decides what to do next, seeing only what the screen shows.
struct Shopper {
    /// How much the shopper wants to buy, from 0 to 1. It differs from visit to visit.
    let intent: Double
    /// The code of a coupon that the shopper has.
    let coupon: String?
    private var productsSeen = 0
    private var paymentTries = 0
    private var isDone = false

    init(intent: Double, coupon: String?) {
        self.intent = intent
        self.coupon = coupon
    }

    /// The next thing to do, or `nil` to leave.
    mutating func next(at state: Shop.State, in world: SimulatedWorld) -> Shop.Event? {
        if isDone { return nil }
        switch state {
        case .start:
            return .openCatalog
        case .catalog, .error:
            if productsSeen > 0 && world.chance(0.25 - 0.2 * intent) { return nil }
            if productsSeen == 0 && world.chance(0.12) { return nil }
            return openProduct(in: world)
        case .productLoaded:
            if world.chance(0.1 + 0.75 * intent) { return .addToCart }
            if world.chance(0.35) { return nil }
            return world.chance(0.5) ? openProduct(in: world) : .openCatalog
        case .addedToCart(_, let cart):
            if world.chance(0.12) { return nil }
            if world.chance(0.55 + 0.1 * Double(cart.products.count)) { return .openCart }
            return world.chance(0.6) ? openProduct(in: world) : .openCatalog
        case .cart(let cart):
            if cart.products.isEmpty || world.chance(0.55 - 0.45 * intent) { return nil }
            return coupon.map { .applyCoupon($0) } ?? .startCheckout
        case .couponApplied:
            return world.chance(0.05) ? nil : .startCheckout
        case .checkout(let cart):
            // With a coupon fewer people give up here.
            if world.chance((0.32 - 0.2 * intent) * (cart.coupon == nil ? 1 : 0.4)) { return nil }
            paymentTries += 1
            return .pay
        case .paymentFailed(let cart, _):
            if paymentTries >= 3 || world.chance(cart.coupon == nil ? 0.4 : 0.3) { return nil }
            paymentTries += 1
            return .pay
        case .paid:
            isDone = true
            return world.chance(0.1) ? .openCatalog : nil
        case .loading, .paying:
            // The screen shows a spinner; impatient people leave.
            return nil
        }
    }

    /// How long until the next action, in milliseconds.
    func pause(at state: Shop.State, in world: SimulatedWorld) -> Int64 {
        switch state {
        case .productLoaded: world.duration(median: 22_000, spread: 0.9)
        case .checkout: world.duration(median: 45_000, spread: 0.7)
        case .paymentFailed: world.duration(median: 30_000, spread: 0.8)
        // A cart is where people hesitate, sometimes for an hour.
        case .cart: world.duration(median: 15_000, spread: 1.4)
        default: world.duration(median: 8_000, spread: 0.8)
        }
    }

    private mutating func openProduct(in world: SimulatedWorld) -> Shop.Event {
        productsSeen += 1
        // The first products of the assortment are the popular ones.
        let a = Int.random(in: 0..<Product.assortment.count, using: &world.random)
        let b = Int.random(in: 0..<Product.assortment.count, using: &world.random)
        return .openProduct(sku: Product.assortment[min(a, b)].sku)
    }
}
