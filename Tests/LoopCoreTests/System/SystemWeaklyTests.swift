import LoopCore
import TestSupport
import Testing

/// Something that shows states, as a screen does.
private final class Screen {
    var shown: [Int] = []
}

@MainActor @Suite struct SystemWeaklyTests {
    private func makeSystem() -> System<Int, Int> {
        System(initialState: 0, reducer: { (state: inout Int, event: Int) in state += event })
    }

    @Test func `the owner is shown the current state at once and each one after it`() {
        let screen = Screen()
        let system = makeSystem().bind(weakly: screen) { $0.shown.append($1) }
        system.send(1)
        system.send(2)
        #expect(screen.shown == [0, 1, 3])
    }

    @Test func `the system does not keep the owner alive, and clears its place at the next step`() {
        let system = makeSystem()
        var screen: Screen? = Screen()
        let gone = Weak(screen)
        system.bind(weakly: screen!) { $0.shown.append($1) }
        system.send(1)
        screen = nil
        #expect(gone.object == nil)
        system.send(1)
        #expect(system.observers.bindingCount == 0)
    }

    @Test func `the places of all that are gone are cleared at one step, and the living stay in their order`() {
        let system = makeSystem()
        var order: [Int] = []
        var screens: [Screen?] = (0..<6).map { index in
            let screen = Screen()
            system.bind(weakly: screen) { _, _ in order.append(index) }
            return screen
        }
        screens[0] = nil
        screens[2] = nil
        screens[5] = nil
        order = []
        system.send(1)
        #expect(order == [1, 3, 4])
        #expect(system.observers.bindingCount == 3)
    }

    @Test func `owners that come and go without a step leave no growing heap of places`() {
        let system = makeSystem()
        let kept = Screen()
        system.bind(weakly: kept) { $0.shown.append($1) }
        for _ in 0..<10_000 { system.bind(weakly: Screen()) { $0.shown.append($1) } }
        #expect(system.observers.bindingCount <= 16)
        system.send(7)
        #expect(system.observers.bindingCount == 1)
        #expect(kept.shown == [0, 7])
    }

    @Test func `what the closure holds is let go with the place`() {
        let system = makeSystem()
        var held: Screen? = Screen()
        let gone = Weak(held)
        do {
            let owner = Screen()
            let hold = held!
            system.bind(weakly: owner) { hold.shown.append($1) }
        }
        held = nil
        #expect(gone.object != nil)
        system.send(1)
        #expect(gone.object == nil)
    }

    @Test func `bindings without an owner stay, whoever goes beside them`() {
        let system = makeSystem()
        var shown: [Int] = []
        system.bind { shown.append($0) }
        for _ in 0..<40 { system.bind(weakly: Screen()) { $0.shown.append($1) } }
        system.send(1)
        #expect(shown == [0, 1])
        #expect(system.observers.bindingCount == 1)
    }

    @Test func `an owner that lets itself go while it is shown a state is not shown the next`() {
        let system = makeSystem()
        var screen: Screen? = Screen()
        var shown = 0
        system.bind(weakly: screen!) { _, state in
            shown += 1
            if state == 1 {
                screen = nil
                system.send(1)
            }
        }
        system.send(1)
        #expect(system.state == 2)
        #expect(shown == 2)
        #expect(system.observers.bindingCount == 0)
    }

    @Test func `an owner that goes in a binding before its own is not shown that step`() {
        let system = makeSystem()
        var screen: Screen? = Screen()
        var shown: [Int] = []
        system.bind { if $0 == 1 { screen = nil } }
        system.bind(weakly: screen!) { shown.append($1) }
        system.send(1)
        #expect(shown == [0])
        #expect(system.observers.bindingCount == 1)
    }

    @Test func `a scope shows its part weakly too, until the owner goes or the binding is removed`() {
        let system = makeSystem()
        let double = system.scope(state: { $0 * 2 }).scope(state: { "\($0)" })
        var owner: Screen? = Screen()
        let gone = Weak(owner)
        var shown: [String] = []
        double.bind(weakly: owner!) { _, state in shown.append(state) }
        let removed = double.bind(weakly: owner!) { _, state in shown.append("removed \(state)") }
        system.send(1)
        removed.remove()
        system.send(1)
        #expect(shown == ["0", "removed 0", "2", "removed 2", "4"])
        owner = nil
        #expect(gone.object == nil)
        system.send(1)
        #expect(shown.count == 5)
        #expect(system.observers.bindingCount == 0)
    }

    @Test func `an owner may be shown changes only`() {
        let system = makeSystem()
        let screen = Screen()
        system.scope(state: { $0 / 10 }).bind(weakly: screen, removingDuplicates: { $0 == $1 }) { $0.shown.append($1) }
        for _ in 0..<4 { system.send(5) }
        #expect(screen.shown == [0, 1, 2])
    }
}
