import LoopCore
import TestSupport
import Testing

/// Parts of a system, as code sees them that knows only the part.
@MainActor @Suite struct ScopeTests {
    struct Cart: Equatable { var items = 0 }
    struct App: Equatable { var cart = Cart(), title = "", detail: Int? }
    enum AppEvent { case cart(Int), title(String), detail(Int?) }

    private func makeSystem() -> System<App, AppEvent> {
        System(
            initialState: App(),
            reducer: { state, event in
                switch event {
                case .cart(let more): state.cart.items += more
                case .title(let title): state.title = title
                case .detail(let detail): state.detail = detail
                }
            })
    }

    @Test("a scope reads its part and sends its events to the one system")
    func readsAndSends() {
        let system = makeSystem()
        let cart = system.scope(state: \.cart, event: AppEvent.cart)
        cart.send(3)
        #expect(cart.state == Cart(items: 3))
        #expect(system.state.cart.items == 3 && system.eventNumber == 1)
        let count = cart.scope(state: \.items, event: { (times: Int) in times * 10 })
        count.send(2)
        #expect(count.state == 23)
        let title = system.scope(state: \.title)
        title.send(.title("a"))
        #expect(title.state == "a" && system.scope.state == system.state)
    }

    @Test("bindings of a scope see the part, the current one at once, until they are removed")
    func bindings() {
        let system = makeSystem()
        var all: [Int] = [], changed: [Int] = []
        let items = system.scope(state: \.cart.items, event: AppEvent.cart)
        let binding = items.bind { all.append($0) }
        items.bind(removingDuplicates: ==) { changed.append($0) }
        system.send(.title("x"))
        items.send(1)
        binding.remove()
        binding.remove()
        items.send(1)
        #expect(all == [0, 0, 1])
        #expect(changed == [0, 1, 2])
    }

    @Test("the origin of a send through a scope is where it was written")
    func origin() {
        let system = makeSystem()
        var origins: [String] = []
        system.attach(Middleware { if let origin = $0.origin { origins.append(origin.description) } })
        system.scope(state: \.cart, event: AppEvent.cart).send(1)
        let line = #line - 1
        #expect(origins == ["\(#fileID):\(line)"])
    }

    @Test("a missing part has no scope; one that goes missing later still shows its last state")
    func ifLet() {
        let system = makeSystem()
        let whole = system.scope
        #expect(whole.scope(ifLet: \.detail, event: AppEvent.detail).isNil)
        system.send(.detail(4))
        let detail = whole.scope(ifLet: \.detail, event: { (number: Int) in AppEvent.detail(number) })
        #expect(detail?.state == 4)
        detail?.send(5)
        #expect(detail?.state == 5)
        system.send(.detail(nil))
        #expect(detail?.state == 5)
        #expect(whole.scope(ifLet: \.detail, event: AppEvent.detail).isNil)
    }
}

extension Optional {
    fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}
