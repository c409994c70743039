import LoopCore
import Testing

private struct Prices {
    var price: (String) async throws -> Int
}

private struct Services {
    var prices: Prices
}

private enum Cart {
    struct State: Equatable { var items: [String] = [] }
    enum Event { case add(String), clear }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .add(let sku): state.items.append(sku)
        case .clear: state.items = []
        }
    }
}

private enum Detail {
    struct State: Equatable {
        var sku: String
        var price: Int?
    }
    enum Event { case priced(Int) }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .priced(let price): state.price = price
        }
    }

    static func price(_ prices: Prices) -> Feedback<State, Event> {
        .onChange(of: \.sku) { sku in .run { .priced(try await prices.price(sku)) } }
    }
}

private enum Shop {
    struct State: Equatable {
        var cart = Cart.State()
        var detail: Detail.State?
    }

    enum Event { case cart(Cart.Event), detail(Detail.Event), open(String), close }

    static let cart = Part(\State.cart, Event.cart)
    static let detail = Part(\State.detail, Event.detail)

    static var reducer: Reducer<State, Event> {
        .all(
            Reducer(Cart.reduce).on(cart), Reducer(Detail.reduce).on(detail),
            Reducer { (state: inout State, event: Event) in
                switch event {
                case .open(let sku): state.detail = Detail.State(sku: sku)
                case .close: state.detail = nil
                case .cart, .detail: break
                }
            })
    }

    static func feedback(_ services: Services) -> Feedback<State, Event> { Detail.price(services.prices).on(detail) }
}

private enum Session {
    struct State: Equatable { var isLoggedIn = true }
    enum Event { case loggedOut }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .loggedOut: state.isLoggedIn = false
        }
    }
}

@MainActor @Suite struct ManyStoresArticle {
    private let services = Services(prices: Prices { $0.count })

    @Test func `A view of the cart sees the cart's changes only, and sends the cart's events`() {
        let label = Label()

        let system = System(initialState: Shop.State(), feedbacks: [Shop.feedback(services)], reducer: Shop.reducer).start()
        let cart: Scope<Cart.State, Cart.Event> = system.scope(Shop.cart)
        cart.bind(removingDuplicates: ==) { [weak label] state in label?.text = "\(state.items.count) items" }

        system.send(.open("sku-1"))
        cart.send(.add("sku-1"))

        #expect(label.shown == ["0 items", "1 items"])
        #expect(system.state.cart.items == ["sku-1"])
    }

    @Test func `A part's feedback runs with its part of the services`() async {
        let system = System(
            initialState: Shop.State(), feedbacks: [Shop.feedback(services)], reducer: Shop.reducer)
        system.send(.open("sku-1"))
        await system.settled()
        #expect(system.state.detail == Detail.State(sku: "sku-1", price: 5))
    }

    @Test func `Closing the detail cancels what runs there, and opening it again begins anew`() async {
        let endless = Endless()
        let prices = Prices { _ in
            await endless.run()
            return 0
        }
        let system = System(
            initialState: Shop.State(), feedbacks: [Shop.feedback(Services(prices: prices))], reducer: Shop.reducer)
        system.send(.open("sku-1"))
        await endless.whenStarted(1)
        system.send(.close)
        await endless.whenCancelled(1)
        system.send(.open("sku-1"))
        await endless.whenStarted(2)
        system.stop()
        await endless.whenCancelled(2)
    }

    @Test func `A part's middleware sees the part's events under the numbers of the whole`() {
        let system = System(initialState: Shop.State(), reducer: Shop.reducer)
        var seen: [String] = []

        let watch = Middleware<Cart.State, Cart.Event> { step in seen.append("\(step.number): \(step.state.items.count)") }
        system.attach(watch.pullback(state: \.cart) { event in if case .cart(let event) = event { event } else { nil } })

        system.send(.open("sku-1"))
        system.send(.cart(.add("sku-1")))
        #expect(seen == ["0: 0", "2: 1"])
    }

    @Test func `What a person does concerns two systems`() {
        let session = System(initialState: Session.State(), reducer: Session.reduce)
        let cart = System(initialState: Cart.State(items: ["sku-1"]), reducer: Cart.reduce)

        let logOut = {
            session.send(.loggedOut)
            cart.send(.clear)
        }
        logOut()

        #expect(!session.state.isLoggedIn)
        #expect(cart.state.items.isEmpty)
    }

    @Test func `The states of one system are events of another`() async {
        let session = System(initialState: Session.State(), reducer: Session.reduce)
        let cart = System(
            initialState: Cart.State(),
            feedbacks: [.always { .stream { session.states.filter { !$0.isLoggedIn }.map { _ in .clear } } }],
            reducer: Cart.reduce)
        cart.start()

        cart.send(.add("sku-1"))
        session.send(.loggedOut)
        while !cart.state.items.isEmpty { await Task.yield() }
        #expect(cart.eventNumber == 2)
    }
}
