import LoopCore
import LoopMigration
import LoopViews
import Observation
import Testing

@MainActor @Suite struct ViewStoreTests {
    @Test func `reads the system's state and the properties of it`() {
        let store = ViewStore(cart(["mug"]))
        #expect(store.state == Trolley(items: ["mug"]))
        #expect(store.items == ["mug"])
        #expect(store.title == "1 in the cart")
        #expect(store.items.count == 1)
    }

    @Test func `an event changes what is read before send returns`() {
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
        let system = cart()
        let store = ViewStore(system)
        store.send(.load)
        #expect(store.note == "loading")
        await system.settled()
        #expect(store.note == "")
        #expect(store.items == ["loaded"])
    }

    @Test func `tells an observer of a change once until it reads anew`() {
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
        let drawing = Drawing { _ = store.state }
        store.send(.clear)
        store.send(.note(""))
        #expect(drawing.invalidations == 0)
        store.send(.note("x"))
        #expect(drawing.invalidations == 1)
    }

    @Test func `states that cannot be compared are drawn at each step`() {
        struct Opaque { var number = 0 }
        let store = ViewStore(System(initialState: Opaque(), reducer: { (_: inout Opaque, _: Void) in }))
        let (whole, property) = (Drawing { _ = store.state }, Drawing { _ = store.number })
        store.send(())
        #expect(whole.invalidations == 1 && property.invalidations == 0)
    }

    @Test func `a change of one property is noticed by those that read it, and by nobody else`() {
        let store = ViewStore(cart())
        let (items, note, title, whole) = (
            Drawing { _ = store.items }, Drawing { _ = store.note }, Drawing { _ = store.title }, Drawing { _ = store.state }
        )
        store.send(.note("x"))
        #expect([items, note, title, whole].map(\.invalidations) == [0, 1, 0, 1])
        store.send(.add("mug"))
        #expect([items, note, title, whole].map(\.invalidations) == [1, 1, 1, 1])
        // Changed twice and read by nobody in between, then read again.
        for count in 2...4 { store.send(.add("\(count)")) }
        #expect(store.items.count == 4 && store.title == "4 in the cart")
        items.draw()
        store.send(.clear)
        #expect(items.invalidations == 2 && store.items == [])
    }

    @Test func `a store that nobody reads starts nothing and goes silently`() async {
        var effects = 0
        func system() -> System<Int, Int> {
            System(
                initialState: 0,
                feedbacks: [
                    .while({ $0 == 0 }) { _ in
                        effects += 1
                        return .event(1)
                    }
                ], reducer: { (number: inout Int, event: Int) in number += event })
        }
        do { _ = ViewStore(system()) }
        let read = ViewStore(system())
        for _ in 0..<5 { await Task.yield() }
        #expect(effects == 0)
        // A body must not change what it draws: the read shows the state as it is.
        #expect(read.state == 0 && effects == 0)
        while effects == 0 { await Task.yield() }
        #expect(read.state == 1)
        ViewStore(system()).send(5)
        #expect(effects == 2)
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

    @Test func `a view that sends and does not read the state is not drawn`() {
        let store = ViewStore(cart())
        let drawing = Drawing { store.send(.clear) }
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
        let system = cart()
        let store = ViewStore(system)
        var origin: SendOrigin?
        system.attach(Middleware { origin = $0.origin ?? origin })
        store.send(.clear)
        #expect(origin?.line == UInt(#line - 1))
        #expect(origin?.fileID.description.hasSuffix("ViewStoreTests.swift") == true)
    }

    @Test func `middleware sees a step after the store has changed`() {
        let system = cart()
        let store = ViewStore(system)
        var shown: [Int] = []
        system.attach(Middleware { _ in shown.append(store.items.count) })
        store.send(.add("mug"))
        #expect(shown == [0, 1])
    }

    @Test func `an action sends its event each time it is called, from the place that made it`() {
        let system = cart()
        var origins: [SendOrigin] = []
        system.attach(Middleware { if let origin = $0.origin { origins.append(origin) } })
        let action = ViewStore(system).action(for: .add("mug"))
        action()
        action()
        #expect(system.state.items == ["mug", "mug"])
        #expect(origins.map(\.line) == Array(repeating: UInt(#line - 4), count: 2))
    }

    @Test func `what a binding of the system sends while a state is shown is shown after it`() {
        let system = cart()
        system.bind { cart in
            if cart.items.count == 1 { system.send(.add("sent from a binding")) }
        }
        let store = ViewStore(system)
        var seen: [Int] = []
        system.bind { _ in seen.append(store.items.count) }
        store.send(.add("mug"))
        #expect(seen == [0, 1, 2])
        #expect(store.items == ["mug", "sent from a binding"])
    }

    @Test func `an observer that sends while it is told of a change changes what is read afterwards`() {
        let store = ViewStore(cart())
        withObservationTracking {
            _ = store.items
        } onChange: {
            MainActor.assumeIsolated { store.send(.note("told")) }
        }
        store.send(.add("mug"))
        #expect(store.items == ["mug"])
        #expect(store.note == "told")
    }

    @Test func `a store made while a step is under way begins with that step's state`() {
        let system = cart()
        var made: [ViewStore<Trolley, TrolleyEvent>] = []
        system.bind { if $0.items.count == 1 { made.append(ViewStore(system)) } }
        system.send(.add("mug"))
        #expect(made.map(\.items) == [["mug"]])
        system.send(.clear)
        #expect(made.map(\.items) == [[]])
    }
}
