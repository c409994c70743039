import LoopCore
import LoopViews
import Testing

private struct Shop: Equatable {
    var cart = Trolley()
    var profile = Profile()
    var visits = 0
}

private struct Profile: Equatable { var name = "" }

private enum ShopEvent { case cart(TrolleyEvent), rename(String), visit }

@MainActor private func shop() -> System<Shop, ShopEvent> {
    System(
        initialState: Shop(),
        reducer: { (shop: inout Shop, event: ShopEvent) in
            switch event {
            case .cart(.add(let item)): shop.cart.items.append(item)
            case .cart(.note(let note)): shop.cart.note = note
            case .cart(.clear): shop.cart.items = []
            case .cart(.load): break
            case .rename(let name): shop.profile.name = name
            case .visit: shop.visits += 1
            }
        })
}

@MainActor @Suite struct ViewStoreScopeTests {
    @Test func `a part is read by its own properties and sends its own events`() {
        let system = shop()
        let cart = ViewStore(system).scope(state: \.cart, event: ShopEvent.cart)
        cart.send(.add("mug"))
        #expect(cart.items == ["mug"])
        #expect(cart.title == "1 in the cart")
        #expect(system.state.cart.items == ["mug"])
    }

    @Test func `a part begins with the state as it is`() {
        let system = shop()
        system.send(.rename("Ada"))
        #expect(ViewStore(system).scope(state: \.profile).name == "Ada")
    }

    @Test func `changes elsewhere are not drawn`() {
        let store = ViewStore(shop())
        let cart = store.scope(state: \.cart, event: ShopEvent.cart)
        let whole = Drawing { _ = store.state }
        let part = Drawing { _ = cart.items }
        store.send(.visit)
        store.send(.rename("Ada"))
        #expect(whole.invalidations == 1)
        #expect(part.invalidations == 0)
        store.send(.cart(.add("mug")))
        #expect(part.invalidations == 1)
    }

    @Test func `a view that makes a part and does not read it is not drawn for its changes`() {
        let store = ViewStore(shop())
        var made: ViewStore<Int, ShopEvent>?
        let drawing = Drawing { made = store.scope(state: \.visits) }
        store.send(.visit)
        #expect(made?.state == 1)
        #expect(drawing.invalidations == 0)
    }

    @Test func `a part that sends the same events is made without naming them`() {
        let store = ViewStore(shop())
        let name = store.scope(state: \.profile.name)
        name.send(.rename("Ada"))
        #expect(name.state == "Ada")
        #expect(store.profile.name == "Ada")
    }

    @Test func `a part can be computed`() {
        let store = ViewStore(shop())
        let isEmpty = store.scope(state: { $0.cart.items.isEmpty })
        let drawing = Drawing { _ = isEmpty.state }
        store.send(.cart(.add("mug")))
        #expect(!isEmpty.state)
        #expect(drawing.invalidations == 1)
        drawing.draw()
        store.send(.cart(.add("lamp")))
        #expect(drawing.invalidations == 1)
    }

    @Test func `a part that cannot be compared is drawn at each step, unless a rule says otherwise`() {
        struct Summary { let count: Int }
        let store = ViewStore(shop())
        let plain = store.scope(state: { Summary(count: $0.cart.items.count) })
        let ruled = store.scope(state: { Summary(count: $0.cart.items.count) }, isSame: { $0.count == $1.count })
        let plainDrawing = Drawing { _ = plain.state }
        let ruledDrawing = Drawing { _ = ruled.count }
        store.send(.visit)
        #expect(plainDrawing.invalidations == 1)
        #expect(ruledDrawing.invalidations == 0)
        store.send(.cart(.add("mug")))
        #expect(ruledDrawing.invalidations == 1)
        #expect(ruled.count == 1)
    }

    @Test func `a part of a part sends through both`() {
        let store = ViewStore(shop())
        let note = store.scope(state: \.cart, event: ShopEvent.cart).scope(state: \.note, event: { TrolleyEvent.note($0) })
        note.send("a gift")
        #expect(note.state == "a gift")
        #expect(store.cart.note == "a gift")
    }

    @Test func `a part of a store whose rule overlooks a change still sees the change`() {
        let store = ViewStore(shop(), isSame: { $0.visits == $1.visits })
        let name = store.scope(state: \.profile.name)
        store.send(.rename("Ada"))
        #expect(store.profile.name == "")
        #expect(name.state == "Ada")
    }

    @Test func `two parts of one system show the same step`() {
        let store = ViewStore(shop())
        let count = store.scope(state: \.visits)
        let double = store.scope(state: { $0.visits * 2 })
        #expect((count.state, double.state) == (0, 0))
        var shown: [[Int]] = []
        store.scope.bind { _ in shown.append([count.state, double.state]) }
        for _ in 0..<2 { store.send(.visit) }
        #expect(shown == [[0, 0], [1, 2], [2, 4]])
    }

    @Test func `the origin of a part's event is the place that sent it`() {
        let system = shop()
        var line: UInt?
        system.attach(Middleware { line = $0.origin?.line ?? line })
        let cart = ViewStore(system).scope(state: \.cart, event: ShopEvent.cart)
        cart.send(.clear)
        #expect(line == UInt(#line - 1))
    }

    @Test func `each step calls a part's function once while its store lives, and never afterwards`() {
        let system = shop()
        let store = ViewStore(system)
        var calls = 0
        do {
            let part = store.scope(state: { shop -> Int in
                calls += 1
                return shop.visits
            })
            calls = 0
            store.send(.visit)
            #expect(calls == 1)
            #expect(part.state == 1)
        }
        calls = 0
        store.send(.visit)
        store.send(.visit)
        #expect(calls == 0)
    }

    @Test func `a store of a scope shows the scope's part and sends its events`() {
        let system = shop()
        let scope = system.scope(state: \.cart, event: ShopEvent.cart)
        let cart = ViewStore(scope)
        let drawing = Drawing { _ = cart.items }
        system.send(.visit)
        #expect(drawing.invalidations == 0)
        cart.send(.add("mug"))
        #expect(drawing.invalidations == 1)
        #expect(cart.items == ["mug"])
        #expect(system.state.cart.items == ["mug"])
    }

    @Test func `a store of a scope takes a rule of the user's own`() {
        let system = shop()
        let cart = ViewStore(system.scope(state: \.cart), isSame: { $0.items == $1.items })
        system.send(.cart(.note("x")))
        #expect(cart.note == "")
        system.send(.cart(.add("mug")))
        #expect(cart.note == "x")
    }

    @Test func `the scope of a store serves code that is no view`() {
        let store = ViewStore(shop()).scope(state: \.cart, event: ShopEvent.cart)
        var shown: [Int] = []
        let binding = store.scope.bind { shown.append($0.items.count) }
        store.scope.send(.add("mug"))
        binding.remove()
        store.send(.add("lamp"))
        #expect(shown == [0, 1])
        #expect(store.scope.state.items == ["mug", "lamp"])
    }

    @Test func `reading the scope is not observed`() {
        let store = ViewStore(shop())
        let drawing = Drawing { _ = store.scope.state }
        store.send(.visit)
        #expect(drawing.invalidations == 0)
    }

    @Test func `a part is one store however often a body asks for it`() {
        let system = System(initialState: Screens(rows: (0..<20).map { Line(id: $0) }), reducer: Screens.reducer)
        let store = ViewStore(system)
        let first = (store.scope(Screens.cart), store.scope(Screens.detail), store.scope(Screens.lines[7]))
        for _ in 0..<1_000 {
            #expect(store.scope(Screens.cart) === first.0 && store.scope(Screens.lines[7]) === first.2)
        }
        #expect(first.1 == nil && first.2 !== store.scope(Screens.lines[8]))
        #expect(first.0.items == [] && first.2?.count == 0)
        #expect(system.observers.bindingCount == 4)
    }

    @Test func `a view that asks for a part that may be missing is drawn when it comes and goes, and for nothing else`() {
        let store = ViewStore(System(initialState: Screens(), reducer: Screens.reducer))
        var detail: ViewStore<Trolley, TrolleyEvent>?
        let drawing = Drawing { detail = store.scope(Screens.detail) }
        #expect(detail == nil)
        store.send(.cart(.add("mug")))
        #expect(drawing.invalidations == 0)
        store.send(.open)
        #expect(drawing.invalidations == 1)
        drawing.draw()
        let shown = detail
        #expect(shown?.items == [])
        store.send(.detail(.add("lamp")))
        #expect(drawing.invalidations == 1 && shown?.items == ["lamp"])
        store.send(.close)
        #expect(drawing.invalidations == 2 && shown?.items == ["lamp"])
        drawing.draw()
        #expect(detail == nil)
        store.send(.open)
        #expect(store.scope(Screens.detail) !== shown && store.scope(Screens.detail)?.items == [])
    }

    @Test func `a part that may be missing has a store of its value and another of the optional`() {
        let store = ViewStore(System(initialState: Screens(rows: [Line(id: 7)]), reducer: Screens.reducer))
        let optional: ViewStore<Trolley?, TrolleyEvent> = store.scope(Screens.detail)
        let optionalRow: ViewStore<Line?, Int> = store.scope(Screens.lines[7])
        store.send(.open)
        let value: ViewStore<Trolley, TrolleyEvent>? = store.scope(Screens.detail)
        let row: ViewStore<Line, Int>? = store.scope(Screens.lines[7])
        value?.send(.add("lamp"))
        row?.send(1)
        #expect(optional.state?.items == ["lamp"] && value?.state.items == ["lamp"])
        #expect(optionalRow.state?.count == 1 && row?.state.count == 1)
        store.send(.close)
        let gone: ViewStore<Trolley, TrolleyEvent>? = store.scope(Screens.detail)
        let kept: ViewStore<Trolley?, TrolleyEvent> = store.scope(Screens.detail)
        #expect(gone == nil && kept === optional && kept.state == nil)
    }

    @Test func `rows that were shown and have gone are forgotten, and a view that waits for one sees it come`() throws {
        let store = ViewStore(System(initialState: Screens(), reducer: Screens.reducer))
        let waiting = Drawing { _ = store.scope(Screens.lines[-1]) as ViewStore<Line, Int>? }
        var drawn = 0
        for id in 0..<500 {
            for ids in [[id], []] {
                store.send(.show(ids))
                #expect((store.scope(Screens.lines[id]) == nil) == ids.isEmpty)
            }
            if waiting.invalidations > drawn {
                drawn = waiting.invalidations
                waiting.draw()
            }
        }
        let parts = try #require(Mirror(reflecting: store).descendant("parts"))
        #expect(Mirror(reflecting: parts).children.count <= 32)
        store.send(.show([-1]))
        #expect(waiting.invalidations == drawn + 1 && drawn < 100)
    }

    @Test func `in a list of 1,000 rows one row's change is drawn by that row alone, and rows that nobody shows go`() {
        let system = System(initialState: Screens(rows: (0..<1_000).map { Line(id: $0) }), reducer: Screens.reducer)
        let store = ViewStore(system)
        var rows = (0..<1_000).compactMap { store.scope(Screens.lines[$0]) }
        var drawings = rows.map { row in Drawing { _ = row.count } }
        for id in [3, 500, 999] { store.send(.line(id, 1)) }
        #expect(drawings.indices.filter { drawings[$0].invalidations > 0 } == [3, 500, 999])
        let gone = Weak(rows.last)
        rows = []
        store.send(.open)
        #expect(store.scope(Screens.lines[1_000]) == nil)
        #expect(gone.object != nil && !drawings.isEmpty, "a drawing still reads it")
        drawings = []
        #expect(gone.object == nil)
    }
}

private struct Line: Equatable {
    let id: Int
    var count = 0
}

private struct Screens {
    enum Event { case cart(TrolleyEvent), detail(TrolleyEvent), line(Int, Int), open, close, show([Int]) }

    var cart = Trolley()
    var shown: Trolley?
    var rows: [Line] = []

    static let cart = Part(\Screens.cart, Event.cart)
    static let detail = Part(\Screens.shown, Event.detail)
    static let lines = Part(each: \Screens.rows, id: \.id, Event.line)

    static var reducer: Reducer<Screens, Event> {
        .all(
            add.on(cart), add.on(detail), Reducer<Line, Int> { (line: inout Line, more: Int) in line.count += more }.on(lines),
            Reducer { (state: inout Screens, event: Event) in
                switch event {
                case .open: state.shown = Trolley()
                case .close: state.shown = nil
                case .show(let ids): state.rows = ids.map { Line(id: $0) }
                default: break
                }
            })
    }

    private static var add: Reducer<Trolley, TrolleyEvent> {
        Reducer { (trolley: inout Trolley, event: TrolleyEvent) in if case .add(let item) = event { trolley.items.append(item) } }
    }
}
