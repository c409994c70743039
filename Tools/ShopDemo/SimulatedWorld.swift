import Basics
import TrackingEvents

/// Time, chance and the outside world of the simulation. Waiting takes no real time: a call adds its answer to the agenda, at the
/// time when it comes.
final class SimulatedWorld {
    enum Occurrence {
        /// A shopper's session begins.
        case arrival(shopper: Int)
        /// A shopper does the next thing.
        case action(session: Int)
        /// A call of the session's backend comes back.
        case answer(session: Int, CheckedContinuation<Void, Never>)
    }

    /// Milliseconds since 1970 UTC. A lock guards it, because trackers may read it on any thread.
    let time: Lock<Int64>
    var agenda = Agenda<Occurrence>()
    var random: SeededRandom
    /// How many backend calls there were so far. ``ShopSimulation`` sees from it that a call is under way.
    var calls = 0
    var orders = 0

    init(startingAt start: Int64, seed: UInt64) {
        time = Lock(start)
        random = SeededRandom(seed: seed)
    }

    var now: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    var clock: WallClock { WallClock { [time] in time.withLock { $0 } } }

    /// `true` with this probability.
    func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

    /// A time around `median` with the long tail that people and networks have (log-normal).
    func duration(median: Double, spread: Double) -> Int64 {
        // The sum of twelve uniform numbers is close to normal (Irwin–Hall) and needs no logarithm of zero.
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
        return max(1, Int64(median * exponential(spread * normal)))
    }
}

/// The natural exponential: the first terms of its series at `x / 1024`, squared ten times. This needs no math library.
private func exponential(_ x: Double) -> Double {
    var small = x / 1024
    small = 1 + small * (1 + small / 2 * (1 + small / 3))
    for _ in 0..<10 { small *= small }
    return small
}

/// The outside world of one session: it answers after a while, and sometimes fails.
struct SimulatedBackend: ShopBackend {
    let world: SimulatedWorld
    let session: Int
    /// Whether the app that asks has the planted fault of ``ShopRelease``.
    let hasBrokenSheet: Bool

    func product(_ sku: String) async throws -> Product {
        await wait(world.duration(median: 180, spread: 0.5))
        if world.chance(0.01) { throw ShopError.timeout }
        guard let product = Product.assortment.first(where: { $0.sku == sku }) else { throw ShopError.unknownProduct(sku) }
        return product
    }

    func add(_ product: Product, to cart: Cart) async throws -> Cart {
        await wait(world.duration(median: 90, spread: 0.4))
        if world.chance(0.02) { throw ShopError.soldOut }
        var cart = cart
        cart.products.append(product)
        return cart
    }

    func pay(_ cart: Cart) async throws -> Int {
        // The app opens the sheet itself, without the network.
        if hasBrokenSheet && world.chance(0.85) {
            await wait(world.duration(median: 300, spread: 0.3))
            throw ShopError.paymentSheet
        }
        await wait(world.duration(median: 1_400, spread: 0.6))
        // Expensive carts are declined more often.
        if world.chance(0.12 + min(0.2, Double(cart.total) / 300_000)) { throw ShopError.cardDeclined }
        if world.chance(0.02) { throw ShopError.timeout }
        world.orders += 1
        return world.orders
    }

    private func wait(_ milliseconds: Int64) async {
        await withCheckedContinuation { continuation in
            world.agenda.add(.answer(session: session, continuation), at: world.now + milliseconds)
            world.calls += 1
        }
    }
}
