import Basics
import LoopCore
import Testing

/// A child that is declared once serves its reducer, its feedbacks, its middleware and its views.
@MainActor @Suite struct PartTests {
    struct Cart: Equatable {
        var items: [String] = []
        static var reducer: Reducer<Cart, CartEvent> {
            Reducer { (cart: inout Cart, event: CartEvent) in
                switch event {
                case .add(let item): cart.items.append(item)
                case .clear: cart.items = []
                }
            }
        }
    }
    enum CartEvent: Equatable { case add(String), clear }
    struct Row: Equatable {
        let id: Int
        var count = 0
        static var reducer: Reducer<Row, RowChange> {
            Reducer { (row: inout Row, event: RowChange) in if case .more = event { row.count += 1 } }
        }
    }
    enum RowChange: Equatable { case more, less }
    enum Screen: Equatable { case cart(Cart), closed }
    struct App: Equatable {
        var cart = Cart()
        var wish: Cart?
        var screen = Screen.closed
        var rows: [Row] = []
    }
    enum Event: Equatable { case cart(CartEvent), wish(CartEvent), screen(CartEvent), row(Int, RowChange), other }

    static let cart = Part(\App.cart, Event.cart)
    static let wish = Part(\App.wish, Event.wish)
    static let screen = Part(case: Screen.cart, Event.screen)
    static let rows = Part(each: \App.rows, id: \.id, Event.row)

    private static let reducer = Reducer.all(
        Cart.reducer.on(cart), Cart.reducer.on(wish), Row.reducer.on(rows),
        Reducer<Screen, Event>.all(Cart.reducer.on(screen)).on(Part(\App.screen, { (event: Event) in event })))

    @Test func `each part's events change that part and nothing else`() {
        var app = App(wish: Cart(), screen: .cart(Cart()), rows: [Row(id: 7), Row(id: 9)])
        Self.reducer(&app, .cart(.add("mug")))
        #expect(app == App(cart: Cart(items: ["mug"]), wish: Cart(), screen: .cart(Cart()), rows: [Row(id: 7), Row(id: 9)]))
        Self.reducer(&app, .wish(.add("lamp")))
        #expect(app.wish == Cart(items: ["lamp"]))
        Self.reducer(&app, .row(9, .more))
        Self.reducer(&app, .row(8, .more))
        #expect(app.rows == [Row(id: 7), Row(id: 9, count: 1)])
        let before = app
        Self.reducer(&app, .other)
        #expect(app == before)
    }

    @Test func `an event that is not one case with the part's event alone is reported, in debug builds`() {
        enum Root { case app(Event), cart(id: Int, CartEvent), own(CartEvent) }
        func reports<WholeEvent>(_ part: Part<App, WholeEvent, Cart, CartEvent>) -> [String] {
            let said = Lock<[String]>([])
            let system = System<App, WholeEvent>(initialState: App(), reducer: { (_: inout App, _: WholeEvent) in })
            Misuse.$report.withValue({ message in said.withLock { $0.append(message) } }, operation: { system.scope(part).send(.clear) })
            return said.withLock { $0 }
        }
        #expect(reports(Self.cart).isEmpty && reports(Part(\App.cart, Root.own)).isEmpty)
        let wrong = [
            reports(Part(\App.cart, { (event: CartEvent) in Root.app(.cart(event)) })),
            reports(Part(\App.cart, { (event: CartEvent) in Root.cart(id: 1, event) })),
            reports(Part(\App.cart, { (event: CartEvent) in event })),
        ]
        #if DEBUG
        #expect(wrong.allSatisfy { $0.count == 1 })
        #expect(wrong[0].first?.contains("Root.app is not one case with its Part's event alone") == true)
        #else
        #expect(wrong.allSatisfy(\.isEmpty))
        #endif
    }

    @Test func `a row's event that carries more than its id and its event is reported, in debug builds`() {
        enum Root { case row(Int, RowChange, from: String) }
        let said = Lock<[String]>([])
        let system = System<App, Root>(initialState: App(rows: [Row(id: 7)]), reducer: { (_: inout App, _: Root) in })
        let rows = Part(each: \App.rows, id: \.id, { (id: Int, change: RowChange) in Root.row(id, change, from: "list") })
        Misuse.$report.withValue({ message in said.withLock { $0.append(message) } }, operation: { system.scope(rows[7])?.send(.more) })
        #if DEBUG
        #expect(said.withLock { $0.count } == 1)
        #endif
    }

    @Test func `a part of a part is put on both in turn`() {
        struct Root: Equatable { var app = App() }
        enum RootEvent { case app(Event) }
        let app = Part(\Root.app, RootEvent.app)
        var root = Root()
        Cart.reducer.on(Self.cart).on(app)(&root, .app(.cart(.add("mug"))))
        #expect(root.app.cart.items == ["mug"])
    }

    @Test func `a missing part stays missing`() {
        var app = App()
        Self.reducer(&app, .wish(.add("lamp")))
        #expect(app == App())
        var screen = Screen.closed
        Cart.reducer.on(Self.screen)(&screen, Event.screen(.add("x")))
        #expect(screen == .closed)
        screen = .cart(Cart())
        Cart.reducer.on(Self.screen)(&screen, Event.screen(.add("x")))
        #expect(screen == .cart(Cart(items: ["x"])))
    }

    @Test func `work that a part's reducer describes changes the part when it is done`() async {
        let working = Reducer<Row, RowChange> { (row: Row, event: RowChange) -> Next<Row> in
            .run {
                await Task.yield()
                return Row(id: row.id, count: row.count + 10)
            }
        }
        let system = System(initialState: App(rows: [Row(id: 1), Row(id: 2)]), reducer: working.on(Self.rows))
        system.send(.row(2, .less))
        system.send(.row(3, .less))
        await system.settled()
        #expect(system.state.rows == [Row(id: 1), Row(id: 2, count: 10)])
    }

    @Test func `a part that changes in place is not copied`() {
        struct Big { var numbers = [Int](repeating: 0, count: 10_000) }
        struct Whole { var big = Big(), rows = [Keyed()] }
        struct Keyed { var id = 1, big = Big() }
        enum WholeEvent { case big(Int), row(Int, Int) }
        let big = Reducer<Big, Int> { (state: inout Big, index: Int) in state.numbers[index] += 1 }
        let row = Reducer<Keyed, Int> { (state: inout Keyed, index: Int) in state.big.numbers[index] += 1 }
        let system = System(
            initialState: Whole(),
            reducer: .all(big.on(Part(\Whole.big, WholeEvent.big)), row.on(Part(each: \Whole.rows, id: \.id, WholeEvent.row))))
        func addresses() -> [UInt] {
            [system.state.big.numbers, system.state.rows[0].big.numbers].map {
                $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
            }
        }
        system.send(.big(0))
        system.send(.row(1, 0))
        let before = addresses()
        for index in 0..<100 {
            system.send(.big(index))
            system.send(.row(1, index))
        }
        #expect(addresses() == before)
    }

    @Test func `a feedback and a middleware of a part see the part's steps`() async {
        var seen: [CartEvent?] = []
        let doubling = Feedback<Cart, CartEvent>.while({ $0.items.count == 1 }) { _ in .event(.add("again")) }
        let system = System(
            initialState: App(), feedbacks: [doubling.on(Self.cart), doubling.on(Self.wish)], reducer: Self.reducer)
        system.attach(Middleware<Cart, CartEvent> { step in seen.append(step.event) }.on(Self.cart))
        system.start()
        system.send(.cart(.add("mug")))
        system.send(.wish(.add("lamp")))
        system.send(.other)
        await system.settled()
        #expect(system.state.cart.items == ["mug", "again"] && system.state.wish == nil)
        #expect(seen == [nil, .add("mug"), .add("again")])
    }

    @Test func `effects with names that a row's feedback started end when the feedback says so`() {
        struct Query: Equatable {
            let id: Int
            var text: String?, draft: String? = ""
        }
        enum QueryEvent { case text(String?), draft(String), closeDraft }
        enum ListEvent { case query(Int, QueryEvent) }
        var ended: [String] = []
        let load = Feedback<Query, QueryEvent>.onChange(of: { $0.text }) { text in
            Effect<QueryEvent>.attached { _ in { ended.append(text) } }.id("load \(text)")
        }
        let draft = Feedback<String, String>.always { Effect<String>.attached { _ in { ended.append("draft") } }.id("draft") }
        let reducer = Reducer<Query, QueryEvent> { (query: inout Query, event: QueryEvent) in
            switch event {
            case .text(let text): query.text = text
            case .draft: break
            case .closeDraft: query.draft = nil
            }
        }
        let queries = Part(each: \[Query].self, id: \.id, ListEvent.query)
        let system = System(
            initialState: [Query(id: 1), Query(id: 2)],
            feedbacks: [load.on(queries), draft.on(Part(\Query.draft, QueryEvent.draft)).on(queries)], reducer: reducer.on(queries))
        system.start()
        for id in [1, 2] { system.send(.query(id, .text("a"))) }
        system.send(.query(1, .text("b")))
        #expect(ended == ["a"], "the next effect has another name")
        system.send(.query(1, .text(nil)))
        #expect(ended == ["a", "b"])
        system.send(.query(1, .closeDraft))
        #expect(ended == ["a", "b", "draft"])
        #expect(system.runningEffects == 2, "those of the other row")
    }

    @Test func `a middleware of rows is told which of their events are taken, and what led to each`() {
        var taken: [String] = []
        let middleware = Middleware<Row, RowChange>(
            needs: [.effects],
            makingWatcher: { _ in
                .init(step: { _ in }, taken: { number, event, _, cause in taken.append("\(number) \(event) \(cause?.number ?? -1)") })
            })
        let system = System(initialState: App(rows: [Row(id: 7)]), reducer: Self.reducer).attach(middleware.on(Self.rows))
        var hasSent = false
        system.bind { [weak system] app in
            if app.rows[0].count == 0 || hasSent { return }
            hasSent = true
            system?.send(.row(7, .less))
        }
        system.send(.other)
        system.send(.row(7, .more))
        #expect(taken == ["2 more -1", "3 less 2"])
    }

    @Test func `a scope of a part shows its state and sends its events`() {
        let system = System(initialState: App(rows: [Row(id: 7), Row(id: 9)]), reducer: Self.reducer)
        system.scope(Self.cart).send(.add("mug"))
        #expect(system.scope(Self.cart).state.items == ["mug"])
        #expect(system.scope(Self.wish) == nil)
        let row = system.scope(Self.rows[9])
        row?.send(.more)
        #expect(row?.state == Row(id: 9, count: 1))
        #expect(system.scope(Self.rows[8]) == nil)
        #expect(system.scope(Self.rows).state[7] == Row(id: 7))
    }

    @Test func `parts are known by where they are declared, or by an id`() {
        func made(_ id: Int?) -> Part<App, Event, Cart, CartEvent> { Part(\App.cart, Event.cart, id: id) }
        #expect(made(nil).id == made(nil).id && made(1).id == made(1).id)
        #expect(made(1).id != made(2).id && made(nil).id != made(1).id)
        #expect(made(nil).id != Self.cart.id && Self.cart.id == Self.cart.id)
        #expect(Self.rows[7].id == Self.rows[7].id && Self.rows[7].id != Self.rows[9].id)
    }
}
