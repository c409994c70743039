import LoopCore
import LoopTesting
import Testing

/// What the examples ask; it remembers who asked.
@MainActor private final class Shop {
    var answer: (String) async throws -> [String] = { [$0] }
    private(set) var saved: [[String]] = []
    private(set) var shared: [String] = []
    let (quotes, quote) = AsyncStream<Int>.makeStream()

    func search(_ query: String) async throws -> [String] { try await answer(query) }
    func prices(_ sku: String) -> AsyncStream<Int> { quotes }
    func save(_ cart: [String]) async throws { saved.append(cart) }
    func share(_ sku: String) async throws { shared.append(sku) }
}

@MainActor private enum Browse {
    struct State: Equatable {
        var query: String?
        var found: [String] = []
        var openProduct: String?
        var price = 0
        var cart: [String] = []
        var isSaving = false
        var stamps: [Int] = []
    }

    enum Event {
        case type(String?), found([String]), open(String?), price(Int), add(String), save, saved, share(String), stamped(Int)
    }

    nonisolated static func reduce(state: inout State, event: Event) {
        switch event {
        case .type(let query): state.query = query
        case .found(let found): state.found = found
        case .open(let sku): state.openProduct = sku
        case .price(let price): state.price = price
        case .add(let sku): state.cart.append(sku)
        case .save: state.isSaving = true
        case .saved: state.isSaving = false
        case .share: break
        case .stamped(let count): state.stamps.append(count)
        }
    }

    static func feedbacks(_ shop: Shop) -> [Feedback<State, Event>] {
        [
            .onChange(of: \.query) { query in .run { .found(try await shop.search(query)) } },
            .while(let: \.openProduct) { sku in .stream { shop.prices(sku).map(Event.price) } },
            .while(\.isSaving) { state in
                .run {
                    try await shop.save(state.cart)
                    return .saved
                }
            },
            .on(Event.share) { sku in
                .run {
                    try await shop.share(sku)
                    return nil
                }
            },
        ]
    }

    static var stamps: Feedback<State, Event> {
        .custom { inputs, outlet in
            var last: Int?
            for await input in inputs {
                defer { last = input.state.cart.count }
                if let last, input.state.cart.count > last { outlet.send(.stamped(input.state.cart.count)) }
            }
        }
    }
}

@MainActor @Suite struct FeedbacksArticle {
    private typealias State = Browse.State
    private typealias Event = Browse.Event

    private let shop = Shop()

    private func makeSystem(_ feedbacks: [Feedback<Browse.State, Browse.Event>]) -> System<Browse.State, Browse.Event> {
        System(initialState: Browse.State(), feedbacks: feedbacks, reducer: Browse.reduce)
    }

    @Test func `Of three requests only the answer to the last one arrives`() async {
        let gate = Gate()
        shop.answer = { query in
            if query != "shoes" { await gate.pass() }
            return [query]
        }
        let system = makeSystem(Browse.feedbacks(shop))
        for query in ["sh", "sho", "shoes"] { system.send(.type(query)) }
        await system.settled()
        #expect(system.state.found == ["shoes"])
        gate.open()
        for _ in 1...10 { await Task.yield() }
        #expect(system.state.found == ["shoes"])
        #expect(system.eventNumber == 4)
    }

    @Test func `A product's prices come in while it is open`() async {
        let system = makeSystem(Browse.feedbacks(shop))
        system.send(.open("sku-1"))
        shop.quote.yield(9)
        while system.state.price != 9 { await Task.yield() }
        let (terminated, onTermination) = AsyncStream<Void>.makeStream()
        shop.quote.onTermination = { _ in onTermination.finish() }
        system.send(.open(nil))
        for await _ in terminated {}
    }

    @Test func `Saving saves the cart once, however the state goes on meanwhile`() async {
        let system = makeSystem(Browse.feedbacks(shop))
        system.send(.add("sku-1"))
        system.send(.save)
        system.send(.type("shoes"))
        await system.settled()
        #expect(shop.saved == [["sku-1"]])
        #expect(!system.state.isSaving)
    }

    @Test func `Sharing follows the event and brings none`() async {
        let system = makeSystem(Browse.feedbacks(shop))
        system.send(.share("sku-1"))
        await system.settled()
        #expect(shop.shared == ["sku-1"])
        #expect(system.eventNumber == 1)
    }

    @Test func `Two feedbacks that answer every state take turns`() {
        var states: [String] = []

        let system = System(
            initialState: "initial",
            feedbacks: [.onEachState({ _ in .event("_a") }), .onEachState({ _ in .event("_b") })],
            maxFeedbackEvents: .perOutsideEvent(4),
            returning: { (text: String, part: String) in text + part })
        system.bind { states.append($0) }.start()

        #expect(states == ["initial", "initial_a", "initial_a_b", "initial_a_b_a", "initial_a_b_a_b"])
    }

    @Test func `A runaway is stopped and told, and the system goes on`() {
        var told: [String] = []

        let system = System(
            initialState: 0, feedbacks: [.onEachState({ _ in .event(1) })], maxFeedbackEvents: 10,
            returning: { (count: Int, step: Int) in count + step })
        system.attach(Middleware { step in if let error = step.outcome?.error { told.append("\(error)") } })
        system.start()

        #expect(system.state == 10)
        #expect(told.count == 1 && told[0].hasPrefix("runaway feedback: 10 events in a row"))
        system.send(0)
        #expect(system.state == 20)
    }

    @Test func `A custom feedback follows all states`() async {
        let system = makeSystem([Browse.stamps])
        system.start()
        await Task.yield()
        system.send(.add("sku-1"))
        system.send(.type("shoes"))
        system.send(.add("sku-2"))
        while system.state.stamps.count < 2 { await Task.yield() }
        #expect(system.state.stamps == [1, 2])
    }

    // MARK: The table

    /// A feedback over numbers under each row's name; the effect runs until it is cancelled.
    nonisolated enum Row: String, CaseIterable {
        case onChange, whileHolds, whileLet, onCase, onEachEvent, onEachState, always, custom
    }

    private nonisolated enum Sent { case next(Int) }

    private func feedback(_ row: Row, _ endless: Endless) -> Feedback<Int, Sent> {
        let effect: (Int) -> Effect<Sent> = { _ in
            .run {
                await endless.run()
                return nil
            }
        }
        // 0 stands for no value.
        let value: (Int) -> Int? = { $0 == 0 ? nil : $0 }
        return switch row {
        case .onChange: .onChange(of: value, effect)
        case .whileHolds: .while({ $0 != 0 }, effect)
        case .whileLet: .while(let: value, effect)
        case .onCase: .on(Sent.next, effect)
        case .onEachEvent: .onEachEvent { state, _ in effect(state) }
        case .onEachState: .onEachState(effect)
        case .always: .always { effect(0) }
        case .custom: .custom { _, _ in await endless.run() }
        }
    }

    /// All starts and cancellations so far after the states 0 (initial), 1, 1, 2, 0, each sent as an event that is the next state.
    nonisolated static let table: [(Row, started: [Int], cancelled: [Int])] = [
        (.onChange, [0, 1, 1, 2, 2], [0, 0, 0, 1, 2]),
        (.whileHolds, [0, 1, 1, 1, 1], [0, 0, 0, 0, 1]),
        (.whileLet, [0, 1, 1, 1, 1], [0, 0, 0, 0, 1]),
        (.onCase, [0, 1, 2, 3, 4], [0, 0, 1, 2, 3]),
        (.onEachEvent, [0, 1, 2, 3, 4], [0, 0, 0, 0, 0]),
        (.onEachState, [1, 2, 3, 4, 5], [0, 1, 2, 3, 4]),
        (.always, [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]),
        (.custom, [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]),
    ]

    @Test(arguments: FeedbacksArticle.table)
    func `Each row of the table starts and is cancelled as it says`(row: Row, started: [Int], cancelled: [Int]) async {
        let endless = Endless()
        let system = System(
            initialState: 0, feedbacks: [feedback(row, endless)],
            reducer: { (state: inout Int, sent: Sent) in if case .next(let next) = sent { state = next } })
        system.start()
        await endless.whenStarted(started[0])
        var counts: [[Int]] = [[endless.started, endless.cancelled]]
        for (index, next) in [1, 1, 2, 0].enumerated() {
            system.send(.next(next))
            await endless.whenStarted(started[index + 1])
            await endless.whenCancelled(cancelled[index + 1])
            counts.append([endless.started, endless.cancelled])
        }
        #expect(counts == zip(started, cancelled).map { [$0, $1] })
        system.stop()
        await endless.whenCancelled(started.last ?? 0)
    }

    @Test func `Every row has its line in the table`() {
        #expect(FeedbacksArticle.table.map(\.0) == Row.allCases)
    }

    private func events(of effect: @escaping (Int) -> Effect<Int>) -> [Int] {
        var events: [Int] = []
        let system = System(
            initialState: 0, feedbacks: [.onEachState { (1...2).contains($0) ? effect($0) : .none }],
            returning: { (_: Int, next: Int) in next })
        system.attach(Middleware { step in events += [step.event].compactMap(\.self) })
        system.send(1)
        return events
    }

    @Test func `An effect that has ended keeps its events`() {
        #expect(events { _ in .events([30, 40]) } == [1, 30, 40])
    }

    @Test func `An effect that is started again while its events wait loses them, and the new ones take their places`() {
        #expect(events { $0 == 1 ? .events([2, 30, 40]) : .events([50]) } == [1, 2, 50])
    }
}
