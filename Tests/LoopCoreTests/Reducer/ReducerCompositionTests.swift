import LoopCore
import LoopMigration
import Testing

/// Reducers of parts and wholes: in place, returning a state, describing a `Next`, and with work.
@MainActor @Suite struct ReducerCompositionTests {
    struct Cart: Equatable { var items: [String] = [] }
    enum CartEvent: Equatable { case add(String), clear }
    struct App: Equatable { var cart = Cart(), note: Cart?, log: [String] = [] }
    enum AppEvent: Equatable { case cart(CartEvent), note(CartEvent), other }
    enum Screen: Equatable { case cart(Cart), wish(Cart), closed }

    enum Form: CaseIterable { case inPlace, returning, describing, working }

    /// One reducer in each form.
    private func cart(_ form: Form) -> Reducer<Cart, CartEvent> {
        func reduced(_ state: Cart, _ event: CartEvent) -> Cart {
            switch event {
            case .add(let item): Cart(items: state.items + [item])
            case .clear: Cart()
            }
        }
        return switch form {
        case .inPlace: Reducer { (state: inout Cart, event: CartEvent) in state = reduced(state, event) }
        case .returning: Reducer { (state: Cart, event: CartEvent) -> Cart in reduced(state, event) }
        case .describing: Reducer { (state: Cart, event: CartEvent) -> Next<Cart> in .state(reduced(state, event)) }
        case .working:
            Reducer { (state: Cart, event: CartEvent) -> Next<Cart> in
                .run {
                    await Task.yield()
                    return reduced(state, event)
                }
                .stateWhenLoading(Cart(items: ["…"]))
            }
        }
    }

    @Test func `a reducer that is called changes the state in place`() {
        let reducer = Reducer<[Int], Int> { (rows: inout [Int], number: Int) in rows[0] = number }
        var rows = Array(0..<1_000)
        let memory = rows.withUnsafeBufferPointer(\.baseAddress)
        reducer(&rows, 7)
        #expect(rows[0] == 7 && rows.withUnsafeBufferPointer(\.baseAddress) == memory)
    }

    private func final<State, Event>(_ reducer: Reducer<State, Event>, _ state: State, _ events: [Event]) async throws -> State {
        var state = state
        for event in events { state = try await reducer.next(state, event).value() }
        return state
    }

    @Test("a part's reducer changes its property for its events, and nothing else", arguments: Form.allCases)
    func keyPath(form: Form) async throws {
        let app = cart(form).pullback(state: \App.cart, event: EnumCase(AppEvent.cart))
        let end = try await final(app, App(), [.cart(.add("a")), .note(.add("no")), .other, .cart(.add("b"))])
        #expect(end == App(cart: Cart(items: ["a", "b"])))
    }

    @Test("a missing part stays missing", arguments: Form.allCases)
    func optional(form: Form) async throws {
        let app = cart(form).optional().pullback(state: \App.note, event: EnumCase(AppEvent.note))
        #expect(try await final(app, App(), [.note(.add("a"))]) == App())
        #expect(try await final(app, App(note: Cart()), [.note(.add("a"))]) == App(note: Cart(items: ["a"])))
    }

    @Test("an enum's part changes in its own case only", arguments: Form.allCases)
    func enumCase(form: Form) async throws {
        let screen = cart(form).pullback(state: EnumCase(Screen.wish), event: EnumCase(AppEvent.cart))
        #expect(try await final(screen, .wish(Cart()), [.cart(.add("a"))]) == .wish(Cart(items: ["a"])))
        #expect(try await final(screen, .cart(Cart()), [.cart(.add("a"))]) == .cart(Cart()))
        #expect(try await final(screen, .closed, [.cart(.add("a"))]) == .closed)
        #expect(try await final(screen, .wish(Cart()), [.other]) == .wish(Cart()))
    }

    @Test("combined reducers see what the ones before them left", arguments: Form.allCases)
    func all(form: Form) async throws {
        let app = Reducer<App, AppEvent>.all(
            cart(form).pullback(state: \.cart, event: EnumCase(AppEvent.cart)),
            Reducer { (state: inout App, event: AppEvent) in state.log.append("\(state.cart.items.count)") })
        let end = try await final(app, App(), [.cart(.add("a")), .other, .cart(.clear)])
        #expect(end.log == ["1", "1", "0"])
    }

    @Test("the loading state of a part is the loading state of the whole")
    func loadingOfAPart() async {
        var shown: [[String]] = []
        let app = Reducer<App, AppEvent>.all(
            cart(.working).pullback(state: \.cart, event: EnumCase(AppEvent.cart)),
            Reducer { (state: inout App, _: AppEvent) in state.log.append("after") })
        let system = System(initialState: App(), reducer: app)
        system.bind { shown.append($0.cart.items + $0.log) }
        system.send(.cart(.add("a")))
        await system.settled()
        #expect(shown == [[], ["…"], ["a", "after"]])
    }

    @Test("a pulled back reducer changes a large array in its place")
    func noCopy() {
        struct Big { var numbers = [Int](repeating: 0, count: 10_000) }
        struct Whole { var big = Big() }
        enum WholeEvent { case big(Int) }
        let big = Reducer<Big, Int> { state, place in state.numbers[place] += 1 }
        let whole = Reducer<Whole, WholeEvent>.all(
            big.pullback(
                state: \.big, event: EnumCase(embed: { .big($0) }, extract: { if case .big(let place) = $0 { place } else { nil } })))
        let system = System(initialState: Whole(), reducer: whole)
        func address() -> UInt { system.state.big.numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        system.send(.big(0))
        let before = address()
        for place in 0..<100 { system.send(.big(place)) }
        #expect(address() == before)
    }

    @Test("a reducer can be called by hand; work that it describes is handed back")
    func byHand() async throws {
        var state = Cart()
        #expect(cart(.inPlace)(&state, .add("a")) == nil)
        #expect(cart(.returning)(&state, .add("b")) == nil)
        #expect(cart(.describing)(&state, .add("c")) == nil)
        #expect(state.items == ["a", "b", "c"])
        let rest = cart(.working)(&state, .add("d"))
        #expect(state.items == ["a", "b", "c"])
        #expect(try await rest?.value().items == ["a", "b", "c", "d"])
    }
}
