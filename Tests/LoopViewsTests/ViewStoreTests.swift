import LoopCore
import LoopViews
import Observation
import Testing

private struct Cart: Equatable {
    var items: [String] = []
    var note = ""
    var title: String { "\(items.count) in the cart" }
}

private enum CartEvent { case add(String), note(String), clear, load }

@MainActor private func cart(_ items: [String] = []) -> System<Cart, CartEvent> {
    System(
        initialState: Cart(items: items),
        reducer: { (cart: Cart, event: CartEvent) -> Next<Cart> in
            var cart = cart
            switch event {
            case .add(let item): cart.items.append(item)
            case .note(let note): cart.note = note
            case .clear: cart.items = []
            case .load:
                var loading = cart
                loading.note = "loading"
                cart.items.append("loaded")
                let loaded = cart
                return Next<Cart>.run { loaded }.stateWhenLoading(loading)
            }
            return .state(cart)
        })
}

/// Counts how often what it reads would have to be drawn anew.
@MainActor private final class Drawing {
    private(set) var invalidations = 0
    private let read: () -> Void

    init(_ read: @escaping () -> Void) {
        self.read = read
        draw()
    }

    func draw() {
        // Called on the main actor, because that is where the state is set.
        withObservationTracking(read) { MainActor.assumeIsolated { self.invalidations += 1 } }
    }
}

@MainActor @Suite struct ViewStoreTests {
    @Test func `reads the system's state and the properties of it`() {
        let store = ViewStore(cart(["mug"]))
        #expect(store.state == Cart(items: ["mug"]))
        #expect(store.items == ["mug"])
        #expect(store.title == "1 in the cart")
        #expect(store.items.count == 1)
    }

    @Test func `what is sent changes what is read before send returns`() {
        let store = ViewStore(cart())
        store.send(.add("mug"))
        store.send(.note("a gift"))
        #expect(store.items == ["mug"])
        #expect(store.note == "a gift")
    }

    @Test func `follows what others send to the system`() {
        let system = cart()
        let store = ViewStore(system)
        system.send(.add("lamp"))
        #expect(store.items == ["lamp"])
    }

    @Test func `begins with the state of a system that has run before`() {
        let system = cart()
        system.send(.add("lamp"))
        #expect(ViewStore(system).items == ["lamp"])
    }

    @Test func `shows loading and loaded states`() async {
        let store = ViewStore(cart())
        store.send(.load)
        #expect(store.note == "loading")
        await store.system.settled()
        #expect(store.note == "")
        #expect(store.items == ["loaded"])
    }

    @Test func `tells an observer of a change once, before it reads anew`() {
        let store = ViewStore(cart())
        let drawing = Drawing { _ = store.title }
        #expect(drawing.invalidations == 0)
        store.send(.add("mug"))
        #expect(drawing.invalidations == 1)
        store.send(.add("lamp"))
        #expect(drawing.invalidations == 1)
        drawing.draw()
        store.send(.add("vase"))
        #expect(drawing.invalidations == 2)
    }

    @Test func `equal states are not drawn anew`() {
        let store = ViewStore(cart())
        let drawing = Drawing { _ = store.items }
        store.send(.clear)
        store.send(.note(""))
        #expect(drawing.invalidations == 0)
        store.send(.note("x"))
        #expect(drawing.invalidations == 1)
    }

    @Test func `states that cannot be compared are drawn at each step`() {
        struct Opaque { var number = 0 }
        let store = ViewStore(System(initialState: Opaque(), reducer: { (_: inout Opaque, _: Void) in }))
        let drawing = Drawing { _ = store.number }
        #expect(drawing.invalidations == 0)
        store.send(())
        #expect(drawing.invalidations == 1)
    }

    @Test func `a rule of the user's own decides what looks the same`() {
        let store = ViewStore(cart(), isSame: { $0.items == $1.items })
        let drawing = Drawing { _ = store.state }
        store.send(.note("x"))
        #expect(drawing.invalidations == 0)
        #expect(store.note == "")
        store.send(.add("mug"))
        #expect(drawing.invalidations == 1)
        #expect(store.note == "x")
    }

    @Test func `what does not read the state is not told`() {
        let store = ViewStore(cart())
        let drawing = Drawing { _ = store.system }
        store.send(.add("mug"))
        #expect(drawing.invalidations == 0)
    }

    @Test func `several stores show one system`() {
        let system = cart()
        let stores = (0..<3).map { _ in ViewStore(system) }
        stores[0].send(.add("mug"))
        #expect(stores.allSatisfy { $0.items == ["mug"] })
    }

    @Test func `the origin of an event is the place that sent it to the store`() {
        let store = ViewStore(cart())
        var origin: SendOrigin?
        store.system.attach(Middleware { origin = $0.origin ?? origin })
        store.send(.clear)
        #expect(origin?.line == UInt(#line - 1))
        #expect(origin?.fileID.description.hasSuffix("ViewStoreTests.swift") == true)
    }

    @Test func `middleware sees a step after the store has changed`() {
        let store = ViewStore(cart())
        var shown: [Int] = []
        store.system.attach(Middleware { _ in shown.append(store.items.count) })
        store.send(.add("mug"))
        #expect(shown == [0, 1])
    }

    @Test func `keeps its system alive and goes with its owner, the system with it`() {
        weak var system: System<Cart, CartEvent>?
        weak var gone: ViewStore<Cart, CartEvent>?
        do {
            let store = ViewStore(cart())
            system = store.system
            gone = store
            store.send(.add("mug"))
            #expect(system?.state.items == ["mug"])
        }
        #expect(gone == nil)
        #expect(system == nil)
    }

    @Test func `a system that lives on lets go of the store and clears its place`() {
        let system = cart()
        let kept = ViewStore(system)
        for _ in 0..<3 {
            weak var gone: ViewStore<Cart, CartEvent>?
            do {
                let store = ViewStore(system)
                gone = store
                #expect(store.items.isEmpty)
            }
            #expect(gone == nil)
        }
        #expect(system.bindingCount == 4)
        system.send(.add("mug"))
        #expect(system.bindingCount == 1)
        #expect(kept.items == ["mug"])
    }

    @Test func `a store that is kept by its own middleware's closure weakly is released`() {
        weak var gone: ViewStore<Cart, CartEvent>?
        do {
            let store = ViewStore(cart())
            gone = store
            store.system.attach(Middleware { [weak store] _ in _ = store?.items })
            store.send(.add("mug"))
        }
        #expect(gone == nil)
    }
}
