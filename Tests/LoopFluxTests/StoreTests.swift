import LoopCore
import LoopFlux
import LoopMigration
import LoopTesting
import TestSupport
import Testing

private struct Add: Action { let amount: Int }
private struct Rename: Action { let name: String }

private struct State: Equatable {
    var count = 0
    var name = ""
}

/// Does work at once, by a further action.
@MainActor private final class Controller {
    let dispatcher: Dispatcher
    private(set) var asked: [Int] = []
    init(_ dispatcher: Dispatcher) { self.dispatcher = dispatcher }

    func rename(after amount: Int) {
        asked.append(amount)
        dispatcher.dispatch(Rename(name: "after \(amount)"))
    }
}

@MainActor @Suite struct StoreTests {
    let dispatcher = Dispatcher()
    let log = Log<Int>()

    private func makeStore() -> Store<State, Void> {
        let store = Store(State(), dispatcher: dispatcher)
        store.reducer(of: Add.self) { state, add in state.count += add.amount }
        return store
    }

    @Test func `actions change the state through reducers, and actions without one do not`() {
        let store = makeStore()
        dispatcher.dispatch(Add(amount: 2))
        dispatcher.dispatch(Rename(name: "mug"))
        #expect(store.state == State(count: 2))
        store.reducer(of: Rename.self) { state, rename in state.name = rename.name }
        dispatcher.dispatch(Rename(name: "mug"))
        #expect(store.state == State(count: 2, name: "mug"))
    }

    @Test func `a new observer is shown the current state, once`() {
        let store = makeStore()
        dispatcher.dispatch(Add(amount: 1))
        store.observe { [log] in log.note($0.count) }
        #expect(log.lines == [1])
    }

    @Test func `an observer may skip the current state`() {
        let store = makeStore()
        store.observe(skippingCurrent: true) { [log] in log.note($0.count) }
        #expect(log.lines.isEmpty)
        dispatcher.dispatch(Add(amount: 3))
        #expect(log.lines == [3])
    }

    @Test func `observers see changes in the order of observing, and no equal states`() {
        let store = makeStore()
        store.observe { [log] in log.note($0.count) }
        store.observe { [log] in log.note($0.count * 10) }
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Add(amount: 0))
        store.state = store.state
        dispatcher.dispatch(Add(amount: 1))
        #expect(log.lines == [0, 0, 1, 10, 2, 20])
    }

    @Test func `a reducer that changes many things shows one state`() {
        let store = makeStore()
        store.reducer(of: Rename.self) { state, rename in
            state.count += 1
            state.name = rename.name
            state.count += 1
        }
        store.observe(skippingCurrent: true) { [log] in log.note($0.count) }
        dispatcher.dispatch(Rename(name: "mug"))
        #expect(log.lines == [2])
    }

    @Test func `the state can be read while a reducer runs, and is the old one`() {
        let store = makeStore()
        store.reducer(of: Rename.self) { [weak store, log] state, _ in
            state.count = 9
            log.note(store?.state.count ?? -1)
        }
        dispatcher.dispatch(Rename(name: ""))
        #expect(log.lines == [0])
        #expect(store.state.count == 9)
    }

    @Test func `reducers of several stores are called by priority`() {
        let first = Store(0, dispatcher: dispatcher)
        let second = Store(0, dispatcher: dispatcher)
        first.reducer(of: Add.self) { [log] state, add in
            log.note(1)
            state += add.amount
        }
        second.reducer(of: Add.self, priority: 1) { [log] state, add in
            log.note(2)
            state -= add.amount
        }
        dispatcher.dispatch(Add(amount: 5))
        #expect(log.lines == [2, 1])
        #expect(first.state == 5 && second.state == -5)
    }

    @Test func `reset goes back to the initial state and shows it if it differs`() {
        let store = makeStore()
        store.observe { [log] in log.note($0.count) }
        store.reset()
        dispatcher.dispatch(Add(amount: 4))
        store.reset()
        #expect(store.state == store.initialState)
        #expect(log.lines == [0, 4, 0])
    }

    /// Values that equality ignores, such as when a task succeeded, must be those of the new state.
    @Test func `an equal state replaces the old one silently`() {
        let time = ManualClock()
        let store = Store(TypedTask<Int>.success(expiration: .short, clock: time.clock), dispatcher: dispatcher)
        store.observe(skippingCurrent: true) { [log] _ in log.note(1) }
        time.advance(by: .seconds(60))
        #expect(!store.state.isRecentlySucceeded)
        store.state = .success(expiration: .short, clock: time.clock)
        #expect(store.state.isRecentlySucceeded)
        #expect(log.lines.isEmpty)
    }

    @Test func `a state set by an observer is shown after the current one, to all in the same order`() {
        let store = makeStore()
        store.observe { [weak store, log] state in
            log.note(state.count)
            if state.count == 1 { store?.state.count = 2 }
        }
        store.observe { [log] in log.note($0.count * 10) }
        store.state.count = 1
        #expect(log.lines == [0, 0, 1, 10, 2, 20])
    }

    @Test func `a state that an observer sets in its first call is shown afterwards`() {
        let store = makeStore()
        store.observe { [log] in log.note($0.count) }
        store.observe { [weak store, log] state in
            log.note(state.count * 10)
            if state.count == 0 { store?.state.count = 5 }
            log.note(-1)
        }
        #expect(log.lines == [0, 0, -1, 5, 50, -1])
    }

    @Test func `an observer added by an observer sees the current state once`() {
        let store = makeStore()
        var isFirst = true
        store.observe(skippingCurrent: true) { [weak store, log] _ in
            guard isFirst else { return }
            isFirst = false
            store?.observe { log.note($0.count) }
        }
        store.state.count = 1
        #expect(log.lines == [1])
        store.state.count = 2
        #expect(log.lines == [1, 2])
    }

    @Test func `a dispatch from an observer is delivered when the current action is through`() {
        let store = makeStore()
        let other = Store(0, dispatcher: dispatcher)
        other.reducer(of: Add.self) { [log] state, add in
            state += add.amount
            log.note(state)
        }
        store.observe { [dispatcher] state in
            if state.count == 1 { dispatcher.dispatch(Add(amount: 10)) }
        }
        dispatcher.dispatch(Add(amount: 1))
        #expect(store.state.count == 11)
        #expect(log.lines == [1, 11])
    }

    @Test func `a cancelled observation is not called again, not even for the state that is being shown`() {
        let store = makeStore()
        let later = Log<Subscription>()
        store.observe(skippingCurrent: true) { _ in later.lines.last?.cancel() }
        later.note(store.observe(skippingCurrent: true) { [log] in log.note($0.count) })
        #expect(store.observers.bindingCount == 2)
        store.state.count = 1
        #expect(log.lines.isEmpty)
        #expect(store.observers.bindingCount == 1)
        later.lines[0].cancel()
    }

    @Test func `a reducer may call the controller, whose action is delivered after the current one`() {
        let controller = Controller(dispatcher)
        let store = Store(State(), dispatcher: dispatcher, controller: controller)
        store.reducer(of: Add.self) { state, add, controller in
            state.count += add.amount
            controller.rename(after: add.amount)
        }
        store.reducer(of: Rename.self) { state, rename in state.name = rename.name }
        dispatcher.dispatch(Add(amount: 7))
        #expect(controller.asked == [7])
        #expect(store.state == State(count: 7, name: "after 7"))
    }

    @Test func `a handler may set the state`() {
        let store = makeStore()
        let reducer = store.dispatcher.subscribe(to: Rename.self) { [weak store] in store?.state.name = $0.name }
        dispatcher.dispatch(Rename(name: "mug"))
        #expect(store.state.name == "mug")
        reducer.cancel()
        dispatcher.dispatch(Rename(name: "cup"))
        #expect(store.state.name == "mug")
    }

    @Test func `a cancelled reducer changes nothing more`() {
        let store = Store(0, dispatcher: dispatcher)
        let reducer = store.reducer(of: Add.self) { state, add in state += add.amount }
        dispatcher.dispatch(Add(amount: 1))
        reducer.cancel()
        dispatcher.dispatch(Add(amount: 1))
        #expect(store.state == 1)
    }

    @Test func `a cancelled reducer is let go`() {
        let store = Store(0, dispatcher: dispatcher)
        weak var kept: Subscription?
        do {
            let reducer = store.reducer(of: Add.self) { state, add in state += add.amount }
            kept = reducer
            reducer.cancel()
        }
        #expect(kept == nil)
    }

    @Test func `a store lives on any actor`() async {
        actor Model {
            let store = Store(0, dispatcher: Dispatcher())
            func run() -> Int {
                store.reducer(of: Add.self) { state, add in state += add.amount }
                store.dispatcher.dispatch(Add(amount: 3))
                return store.state
            }
        }
        #expect(await Model().run() == 3)
    }

    @Test func `observers see one state of an action, whatever the number of reducers`() {
        let store = makeStore()
        store.reducer(of: Add.self) { state, _ in state.name = "\(state.count)" }
        let states = Log<State>()
        store.observe { states.note($0) }
        dispatcher.dispatch(Add(amount: 1))
        #expect(states.lines == [State(), State(count: 1, name: "1")])
    }
}
