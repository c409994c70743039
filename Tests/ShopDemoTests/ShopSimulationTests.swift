import Basics
import LoopCore
import ShopDemo
import Testing
import TrackingEvents

/// Keeps everything in order; the simulation records from one actor at a time.
private final class Collector: TrackingSink {
    private let events = Lock<[StampedEvent]>([])
    func flush() async throws -> FlushReceipt { FlushReceipt() }
    func record(_ event: StampedEvent) { events.withLock { $0.append(event) } }
    var all: [StampedEvent] { events.withLock { $0 } }
}

@Suite struct ShopSimulationTests {
    private func simulate(_ population: ShopPopulation) async -> ([StampedEvent], ShopSimulation.Summary) {
        let sink = Collector()
        let summary = await ShopSimulation(population: population, sink: sink).run()
        return (sink.all, summary)
    }

    private func lines(_ events: [StampedEvent]) -> [[UInt8]?] { events.map { EventLineEncoder().line(of: $0) } }

    @Test func `the same seed gives the same lines, byte for byte`() async {
        let population = ShopPopulation(seed: 7, shoppers: 40)
        let first = lines(await simulate(population).0)
        let second = lines(await simulate(population).0)
        #expect(first.count > 100)
        #expect(first == second)
    }

    @Test func `another seed gives other people and other ids`() async {
        let (one, _) = await simulate(ShopPopulation(seed: 1, shoppers: 20))
        let (two, _) = await simulate(ShopPopulation(seed: 2, shoppers: 20))
        #expect(Set(one.map(\.id)).isDisjoint(with: Set(two.map(\.id))))
        #expect(Set(one.compactMap(\.user)).isDisjoint(with: Set(two.compactMap(\.user))))
        #expect(Set(one.compactMap(\.session)).isDisjoint(with: Set(two.compactMap(\.session))))
    }

    @Test func `the second run of the demo comes four weeks after the first`() async {
        let (first, second) = (ShopPopulation.demo(run: 0), ShopPopulation.demo(run: 1))
        #expect(second.startMilliseconds - first.startMilliseconds == 28 * ShopPopulation.dayMilliseconds)
        #expect(first.seed != second.seed)
    }

    @Test func `every session is complete and begins with its context`() async {
        let (events, _) = await simulate(ShopPopulation(seed: 3, shoppers: 60))
        let sessions = Dictionary(grouping: events) { $0.session ?? "" }
        #expect(sessions.count >= 60)
        for (id, events) in sessions {
            #expect(!id.isEmpty)
            #expect(events.map(\.sequence) == (1...events.count).map { Int64($0) })
            #expect(events[0].event.name == MetaEventName.sessionStarted)
            #expect(events[0].kind == .meta)
            #expect(Set(events.map(\.user)).count == 1)
        }
        #expect(Set(events.map(\.id)).count == events.count)
    }

    @Test func `events come in the order of the simulated time, within its four weeks and a day`() async {
        let population = ShopPopulation(seed: 4, shoppers: 50)
        let (events, _) = await simulate(population)
        let times = events.map(\.timeMilliseconds)
        #expect(times == times.sorted())
        #expect(times.allSatisfy { $0 >= population.startMilliseconds })
        let end = population.startMilliseconds + Int64(population.days + 1) * ShopPopulation.dayMilliseconds
        #expect(times.allSatisfy { $0 < end })
    }

    @Test func `people drop out on the way, and payments fail sometimes`() async {
        let (events, summary) = await simulate(ShopPopulation(seed: 5, shoppers: 400))
        func people(_ name: String) -> Int { Set(events.filter { $0.event.name == name }.compactMap(\.user)).count }
        let path = ["catalog_viewed", "product_viewed", "cart_added", "checkout_started", "payment_succeeded"].map(people)
        for (step, next) in zip(path, path.dropFirst()) { #expect(next < step && next > 0) }
        #expect(people("payment_failed") > 0)
        #expect(summary.orders == events.count { $0.event.name == "payment_succeeded" })
    }

    @Test func `the middleware of a visit sees its steps, loading ones too`() async {
        let phases = Lock<[Int: Int]>([:])
        let sink = Collector()
        let simulation = ShopSimulation(population: ShopPopulation(seed: 6, shoppers: 30), sink: sink) { visit in
            [Middleware { step in if step.phase == .loading { phases.withLock { $0[visit, default: 0] += 1 } } }]
        }
        let summary = await simulation.run()
        #expect(phases.withLock { $0.count } > 10)
        #expect(phases.withLock { $0.keys.max() ?? 0 } < summary.visits)
    }
}
