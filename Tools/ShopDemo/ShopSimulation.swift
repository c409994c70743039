public import LoopCore
import LoopTracking
public import TrackingEvents

/// Drives the real shop with simulated people: each visit has a `System` of its own, each person a `Tracker`.
///
/// Events are sent, reduced, and answered by a backend that really suspends; only the waiting is simulated, so four weeks take
/// seconds. The order of everything follows from the seed alone.
public actor ShopSimulation {
    /// What a simulation did.
    public struct Summary: Sendable, Equatable {
        public var shoppers = 0
        public var visits = 0
        /// Events sent into the loops.
        public var sent = 0
        public var orders = 0
    }

    /// A version of the app on somebody's device. After an update the app starts anew, so it gets a new tracker.
    private struct Installation {
        let version: String
        let tracker: Tracker
    }

    private struct Visit {
        let system: System<Shop.State, Shop.Event>
        var shopper: Shopper
    }

    private let population: ShopPopulation
    private let sink: any TrackingSink
    private let watch: (Int) -> [Middleware<Shop.State, Shop.Event>]
    private let world: SimulatedWorld
    private var visits: [Int: Visit] = [:]
    private var customers: [Customer] = []
    private var installations: [Int: Installation] = [:]
    private var summary = Summary()

    /// - Parameters:
    ///   - population: who shops and when.
    ///   - sink: gets every tracking event.
    ///   - watch: further middleware for the n-th visit, 0 for the first.
    public init(
        population: ShopPopulation, sink: any TrackingSink,
        watch: @escaping @Sendable (Int) -> [Middleware<Shop.State, Shop.Event>] = { _ in [] }
    ) {
        self.population = population
        self.sink = sink
        self.watch = watch
        world = SimulatedWorld(startingAt: population.startMilliseconds, seed: population.seed)
    }

    /// Runs the simulation to its end.
    public func run() async -> Summary {
        planArrivals()
        summary.shoppers = population.shoppers
        while let (time, occurrence) = world.agenda.next() {
            world.now = time
            switch occurrence {
            case .arrival(let shopper): arrive(shopper)
            case .action(let session): await act(session)
            case .answer(let session, let continuation):
                continuation.resume()
                await quiet(session)
                planAction(of: session)
            }
        }
        summary.orders = world.orders
        return summary
    }

    /// Everybody comes once to twelve times, a week apart at most, and more often at lunch and in the evening than at night.
    private func planArrivals() {
        let hours: [Int] = [9, 10, 11, 12, 12, 13, 13, 14, 15, 16, 17, 18, 19, 19, 20, 20, 20, 21, 21, 22, 23, 7, 8, 1]
        // Days from one visit to the next.
        let gaps: [Int64] = [0, 1, 1, 2, 3, 4, 5, 6, 7]
        for shopper in 0..<population.shoppers {
            let customer = Customer(using: &world.random)
            customers.append(customer)
            var day = Int64.random(in: 0..<Int64(population.days), using: &world.random)
            for _ in 0..<customer.visits(using: &world.random) where day < population.days {
                let hour = Int64(hours[Int.random(in: 0..<hours.count, using: &world.random)])
                let within = Int64.random(in: 0..<3_600_000, using: &world.random)
                let time = population.startMilliseconds + day * ShopPopulation.dayMilliseconds + hour * 3_600_000 + within
                world.agenda.add(.arrival(shopper: shopper), at: time)
                day += gaps[Int.random(in: 0..<gaps.count, using: &world.random)]
            }
        }
    }

    private func arrive(_ shopper: Int) {
        let number = summary.visits
        summary.visits += 1
        let installation = installation(of: shopper)
        let backend = SimulatedBackend(
            world: world, session: number,
            hasBrokenSheet: ShopRelease.hasBrokenSheet(installation.version, on: customers[shopper].platform))
        let shop = Shop(backend: backend)
        let system = System(name: "shop", initialState: .start, next: shop.reduce)
        for middleware in watch(number) { system.attach(middleware) }
        system.attach(.track(to: installation.tracker, Shop.trackingEvent))
        let intent = Double.random(in: 0..<1, using: &world.random)
        let coupon = world.chance(0.15) ? "WELCOME10" : nil
        visits[number] = Visit(system: system, shopper: Shopper(intent: intent * intent, coupon: coupon))
        world.agenda.add(.action(session: number), at: world.now)
    }

    /// The user ids hold the seed, because people of different runs are different people.
    private func installation(of shopper: Int) -> Installation {
        let customer = customers[shopper]
        let version = customer.version(at: world.now)
        if let installation = installations[shopper], installation.version == version { return installation }
        let tracker = Tracker(
            to: sink, user: "u\(population.seed)-\(shopper + 1)", context: customer.context(version: version), clock: world.clock,
            random: SeededRandom(seed: world.random.next()))
        let installation = Installation(version: version, tracker: tracker)
        installations[shopper] = installation
        return installation
    }

    private func act(_ session: Int) async {
        guard var visit = visits[session] else { return }
        guard let event = visit.shopper.next(at: visit.system.state, in: world) else {
            visits[session] = nil
            return
        }
        visits[session] = visit
        summary.sent += 1
        visit.system.send(event)
        await quiet(session)
        if visit.system.isSettled { planAction(of: session) }
    }

    private func planAction(of session: Int) {
        guard let visit = visits[session], visit.system.isSettled else { return }
        world.agenda.add(.action(session: session), at: world.now + visit.shopper.pause(at: visit.system.state, in: world))
    }

    /// Lets the session's work run until it has ended or waits for the backend.
    private func quiet(_ session: Int) async {
        guard let system = visits[session]?.system else { return }
        let calls = world.calls
        while !system.isSettled && world.calls == calls { await Task.yield() }
    }
}
