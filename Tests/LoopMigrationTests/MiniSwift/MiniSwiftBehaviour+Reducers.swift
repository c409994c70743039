import LoopFlux
import LoopMigration
import TestSupport
import Testing

extension MiniSwiftBehaviour {
    @MainActor @Suite struct Reducers {
        let dispatcher = Dispatcher()
        let store: CounterStore
        let seen = Log<Int>()

        init() {
            store = MiniSwiftBehaviour.makeStore(dispatcher)
            store.observe { [seen] in if let counter = $0.counter.value { seen.note(counter) } }
        }

        private func set(_ counter: Int) async throws {
            dispatcher.dispatch(SetCounter(counter: counter))
            _ = try await store.firstState { $0.counter.isResolved }
        }

        @Test func `an action reaches the reducers of a group`() async throws {
            store.subscribe(.counters)
            #expect(store.state.counter.isIdle)
            try await set(1)
            #expect(seen.lines == [1])
        }

        @Test func `a store without reducers does not change`() {
            #expect(store.state.counter.isIdle)
            dispatcher.dispatch(SetCounter(counter: 2))
            #expect(store.state.counter.isIdle)
        }

        @Test func `a store with reducers receives an action`() async throws {
            store.subscribe(.counters)
            try await set(2)
            #expect(store.state.counter.value == 2)
            #expect(seen.lines == [2])
        }

        @Test func `a store with reducers receives several actions`() async throws {
            store.subscribe(.counters)
            try await set(2)
            #expect(seen.lines == [2])
            try await set(3)
            #expect(seen.lines == [2, 3])
        }

        @Test func `reset brings the initial state back`() async throws {
            store.subscribe(.counters)
            try await set(3)
            #expect(seen.lines == [3])
            store.reset()
            #expect(store.state == State())
        }

        @Test func `observers receive each state`() async throws {
            let statuses = Log<Promise<Int>.Status>()
            store.observe { statuses.note($0.counter.status) }
            store.subscribe(.counters)
            try await set(3)
            try await set(4)
            #expect(seen.lines == [3, 4])
            #expect(statuses.lines == [.idle, .pending, .fulfilled, .pending, .fulfilled])
        }

        @Test func `a group that is disposed of changes nothing more`() async throws {
            let group = store.subscribe(.counters)
            try await set(3)
            group.dispose()
            dispatcher.dispatch(SetCounter(counter: 4))
            #expect(store.state.counter.value == 3)
        }

        /// Mended: Mini's subject starts with its state, and its store starts with it again, so that a subscriber gets it twice.
        @Test func `a new subscriber gets the state once`() {
            let states = Log<State>()
            store.observe { states.note($0) }
            #expect(states.lines == [State()])
        }

        /// Mended: Mini's promises are shared between states, so settling one changes the states that were seen before.
        @Test func `states that were seen stay as they were`() async throws {
            let states = Log<State>()
            store.observe { states.note($0) }
            store.subscribe(.counters)
            try await set(5)
            #expect(states.lines.map(\.counter) == [.idle(), .pending(), .value(5)])
        }

        /// Mended: Mini calls observers while a lock is held, so that setting the state from one of them never returns.
        @Test func `an observer may set the state`() {
            store.observe { [weak store] state in if state.rawCounter == 1 { store?.state.rawCounter = 2 } }
            store.state.rawCounter = 1
            #expect(store.state.rawCounter == 2)
        }
    }

    /// The store of version 1, whose reducers change the state at once.
    @MainActor @Suite struct Version1Reducers {
        final class One: Action {
            let counter: Int
            init(counter: Int) { self.counter = counter }
        }
        struct State: Equatable {
            var task: AnyTask = .idle()
            var counter = 0
        }

        let dispatcher = Dispatcher()
        let store: Store<State, Void>

        init() { store = Store(State(), dispatcher: dispatcher) }

        private func subscribeGroup() -> Subscription {
            store.subscribe(
                ReducerGroup()
                    .reducer(of: One.self) { state, action in state = State(task: .success(), counter: action.counter) })
        }

        @Test func `an action reaches the reducers of a group`() {
            let group = subscribeGroup()
            #expect(store.state.counter == 0)
            dispatcher.dispatch(One(counter: 1))
            #expect(store.state == State(task: .success(), counter: 1))
            group.dispose()
        }

        @Test func `a store without reducers does not change`() {
            dispatcher.dispatch(One(counter: 2))
            #expect(store.state == State())
        }

        @Test func `a store with reducers receives actions until its group is disposed of`() {
            let bag = SubscriptionBag()
            subscribeGroup().disposed(by: bag)
            dispatcher.dispatch(One(counter: 2))
            #expect(store.state.counter == 2)
            bag.cancel()
            dispatcher.dispatch(One(counter: 3))
            #expect(store.state.counter == 2)
        }

        @Test func `reset brings the initial state back`() {
            let group = subscribeGroup()
            dispatcher.dispatch(One(counter: 3))
            #expect(store.state.counter == 3)
            store.reset()
            #expect(store.state == store.initialState)
            group.dispose()
        }
    }
}
