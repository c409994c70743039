import LoopCore
import LoopTesting
import Testing

/// What the examples ask; each test answers in its own way.
@MainActor private final class Shop {
    var answer: (String) async throws -> String = { $0 }
    var name: () async throws -> String = { "Ada" }
    let (quotes, quote) = AsyncStream<Int>.makeStream()

    func product(_ sku: String) async throws -> String { try await answer(sku) }
    func user() async throws -> String { try await name() }
    func addToCart(_ product: String, _ user: String) async throws -> Int { product.count + user.count }
    func search(_ query: String) async throws -> [String] { [try await answer(query)] }
    func prices() -> AsyncStream<Int> { quotes }
}

@MainActor private enum Search {
    struct State: Equatable {
        var text = ""
        var found: [String] = []
    }

    enum Event { case type(String), found([String]), leave }

    static func reducer(_ shop: Shop) -> Reducer<State, Event> {
        Reducer { state, event in
            switch event {
            case .type(let text):
                state.text = text
                return .run { .found(try await shop.search(text)) }.delayed(by: .milliseconds(300)).id("search")
            case .found(let found):
                state.found = found
                return .none
            case .leave:
                state = State()
                return .cancel("search")
            }
        }
    }
}

@MainActor private enum Product {
    enum State: Equatable {
        case start
        case loading
        case loaded(String)
        case failed(String)
    }

    enum Event { case load(String), leave }

    static func reducer(_ shop: Shop) -> Reducer<State, Event> {
        Reducer { (state: State, event: Event) -> Next<State> in
            switch event {
            case .load(let sku):
                .run { .loaded(try await shop.product(sku)) }
                    .stateWhenLoading(.loading)
                    .recover { .value(.failed("\($0)")) }
            case .leave: .state(.start)
            }
        }
    }
}

@MainActor private enum Cart {
    enum State: Equatable {
        case start
        case loading
        case added(String, Int)
        case failed(String)
    }

    static func addToCart(_ shop: Shop, _ sku: String) -> Next<State> {
        Next.zip(.run { try await shop.product(sku) }, .run { try await shop.user() })
            .flatMap { product, user in .run { .added(product, try await shop.addToCart(product, user)) } }
            .recover { .value(.failed("\($0)")) }
            .stateWhenLoading(.loading)
    }
}

@MainActor private final class Device {
    var onLow: (() -> Void)?
}

@MainActor private enum Browse {
    struct State: Equatable {
        var query: String?
        var showsPrices = false
        var found: [String] = []
        var price = 0
        var isBatteryLow = false
    }

    enum Event { case type(String), found([String]), showPrices(Bool), price(Int), batteryLow }

    nonisolated static func reduce(state: inout State, event: Event) {
        switch event {
        case .type(let query): state.query = query
        case .found(let found): state.found = found
        case .showPrices(let isShown): state.showsPrices = isShown
        case .price(let price): state.price = price
        case .batteryLow: state.isBatteryLow = true
        }
    }

    static func search(_ shop: Shop) -> Feedback<State, Event> {
        .onChange(of: \.query) { query in .run { .found(try await shop.search(query)) } }
    }

    static func prices(_ shop: Shop) -> Feedback<State, Event> {
        .while(\.showsPrices) { _ in .stream { shop.prices().map(Event.price) } }
    }

    static func battery(_ device: Device) -> Feedback<State, Event> {
        .always {
            .attached { outlet in
                device.onLow = { outlet.send(.batteryLow) }
                return { device.onLow = nil }
            }
        }
    }
}

@MainActor @Suite struct EffectsArticle {
    private let shop = Shop()

    @Test func `The loading state is shown, then the product, and later events wait`() async {
        let label = Label()
        shop.answer = { _ in "shoes" }

        let system = System(initialState: .start, reducer: Product.reducer(shop))
            .bind { [weak label] state in label?.text = "\(state)" }
            .start()

        system.send(.load("sku-1"))
        system.send(.leave)
        await system.settled()

        #expect(label.shown == ["start", "loading", "loaded(\"shoes\")", "start"])
    }

    @Test func `A recovered error is a state`() async {
        shop.answer = { _ in throw Offline() }
        let system = System(initialState: .start, reducer: Product.reducer(shop))
        system.send(.load("sku-1"))
        await system.settled()
        #expect(system.state == .failed("Offline()"))
    }

    @Test func `An error without recovery puts the state back, is told, and the loop goes on`() async {
        let system = System(initialState: 7, next: { (_: Int, _: String) -> Next<Int> in .run { throw Offline() } })
        var errors: [any Error] = []
        system.attach(Middleware { step in errors += [step.outcome?.error].compactMap(\.self) })
        system.send("load")
        await system.settled()

        #expect(system.state == 7)
        #expect(errors.map { $0 as? Offline } == [Offline()])
        system.send("again")
        await system.settled()
        #expect(errors.count == 2)
    }

    @Test func `A Next that is dropped has done nothing`() {
        var calls = 0
        shop.answer = { _ in
            calls += 1
            return ""
        }
        _ = Cart.addToCart(shop, "sku-1")
        #expect(calls == 0)
    }

    @Test func `Both parts of a zip run at a time and lead to one state, after the loading state`() async throws {
        let gate = Gate()
        shop.answer = { sku in
            await gate.pass()
            return sku
        }
        shop.name = {
            await gate.pass()
            return "Ada"
        }
        let system = System(
            initialState: Cart.State.start,
            next: { [shop] (_: Cart.State, sku: String) -> Next<Cart.State> in Cart.addToCart(shop, sku) })
        let recorder = StepRecorder<Cart.State, String>()
        system.attach(recorder.middleware)
        system.send("sku-1")
        await gate.whenEntered(2)
        #expect(system.state == .loading)
        gate.open()
        await system.settled()
        #expect(recorder.states == [.start, .loading, .added("sku-1", 8)])
        #expect(recorder.numbers == [1])
    }

    @Test func `The first error of a zip is the error of the whole and cancels the other part`() async throws {
        let endless = Endless()
        shop.answer = { _ in
            await endless.run()
            return ""
        }
        shop.name = {
            await endless.whenStarted(1)
            throw Offline()
        }
        #expect(try await Cart.addToCart(shop, "sku-1").value() == .failed("Offline()"))
        #expect(endless.cancelled == 1)
    }

    @Test func `A search is started by the query and brings an event`() async {
        shop.answer = { $0.uppercased() }
        let system = System(initialState: Browse.State(), feedbacks: [Browse.search(shop)], reducer: Browse.reduce)
        system.send(.type("shoes"))
        await system.settled()
        #expect(system.state.found == ["SHOES"])
    }

    @Test func `A stream brings events while its condition holds`() async {
        let system = System(initialState: Browse.State(), feedbacks: [Browse.prices(shop)], reducer: Browse.reduce)
        system.send(.showPrices(true))
        shop.quote.yield(9)
        while system.state.price != 9 { await Task.yield() }
        let (terminated, onTermination) = AsyncStream<Void>.makeStream()
        shop.quote.onTermination = { _ in onTermination.finish() }
        system.send(.showPrices(false))
        for await _ in terminated {}
        #expect(system.state.price == 9)
    }

    @Test func `A source that calls back is attached at the start and detached at the end`() {
        let device = Device()
        let system = System(initialState: Browse.State(), feedbacks: [Browse.battery(device)], reducer: Browse.reduce)
        system.start()
        device.onLow?()
        #expect(system.state.isBatteryLow)
        system.stop()
        #expect(device.onLow == nil)
    }

    @Test func `An effect that throws changes nothing and is told`() async {
        shop.answer = { _ in throw Offline() }
        let system = System(initialState: Browse.State(), feedbacks: [Browse.search(shop)], reducer: Browse.reduce)
        let recorder = StepRecorder<Browse.State, Browse.Event>()
        system.attach(recorder.middleware)
        system.send(.type("shoes"))
        await system.settled()
        #expect(recorder.phases == [.initial, .settled, .effectFailed])
        #expect(recorder.errors.map { $0 as? Offline } == [Offline()])
        system.send(.batteryLow)
        #expect(system.state.isBatteryLow)
    }

    @Test func `A reducer's search waits for a pause, and each keystroke replaces the one before`() async {
        let clock = ManualClock()
        let system = System(initialState: Search.State(), clock: clock.clock, reducer: Search.reducer(shop))
        for text in ["sh", "sho", "shoes"] { system.send(.type(text)) }
        await clock.whenSleeping()
        clock.advance(by: .milliseconds(300))
        await system.settled()
        #expect(system.state.found == ["shoes"])
        #expect(system.eventNumber == 4)
        system.send(.type("boots"))
        system.send(.leave)
        #expect(system.isSettled && system.state == Search.State())
    }
}
