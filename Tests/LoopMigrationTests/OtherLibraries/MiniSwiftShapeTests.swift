import LoopCore
import LoopMigration
import LoopTesting
import Testing

/// A dispatcher and a store as Mini-Swift has them: actions may be of any type, middleware hands an action down a chain, and a store
/// publishes its state to subscribers.
@MainActor @Suite struct MiniSwiftShapeTests {
    private protocol Action {}
    private struct Up: Action {}
    private struct Ping: Action {}

    private struct Chain {
        var proceed: (any Action) -> any Action
    }

    private final class Dispatcher {
        private var perform: [(any Action, Chain) -> any Action] = []
        var reducers: [(any Action) -> Void] = []

        func add(_ middleware: @escaping (any Action, Chain) -> any Action) { perform.append(middleware) }

        func dispatch(_ action: any Action) {
            let root = Chain { [unowned self] action in
                for reduce in reducers { reduce(action) }
                return action
            }
            _ = perform.reduce(root) { chain, middleware in Chain { middleware($0, chain) } }.proceed(action)
        }
    }

    private final class Store {
        var state = Count() { didSet { for each in observers where state != oldValue { each(state) } } }
        private var observers: [(Count) -> Void] = []
        /// Calls `onNext` with the current state at once, as a behaviour subject does.
        func subscribe(onNext: @escaping (Count) -> Void) {
            observers.append(onNext)
            onNext(state)
        }
    }

    private func counter() -> (Dispatcher, Store) {
        let (dispatcher, store) = (Dispatcher(), Store())
        dispatcher.reducers.append { if $0 is Up { store.state.apply(.up) } }
        return (dispatcher, store)
    }

    private typealias Recorder = StepRecorder<Count, any Action>

    @Test func `a subscription reports the store's states from the current one on, and no actions`() {
        let recorder = Recorder(needs: .previousState)
        let (dispatcher, store) = counter()
        store.subscribe(onNext: recorder.middleware.stateCallback(firstIsInitial: true))
        dispatcher.dispatch(Up())
        dispatcher.dispatch(Ping())
        dispatcher.dispatch(Up())
        #expect(recorder.counts == [0, 1, 2])
        #expect(recorder.previousCounts == [nil, 0, 1])
        #expect(recorder.phases == [.initial, .settled, .settled])
        #expect(recorder.places == [0, 1, 2])
        #expect(recorder.events.isEmpty)
    }

    @Test func `an observer in the dispatcher's chain reports each action with the states before and after it`() {
        let recorder = Recorder(needs: .previousState)
        let (dispatcher, store) = counter()
        let observe = recorder.middleware.observer(initialState: store.state)
        dispatcher.add { action, chain in
            let before = store.state
            defer { observe(action, before, store.state) }
            return chain.proceed(action)
        }
        dispatcher.dispatch(Up())
        dispatcher.dispatch(Ping())
        #expect(recorder.events.map { EventName.name(of: $0) } == ["Up", "Ping"])
        #expect(recorder.counts == [0, 1, 1])
        #expect(recorder.previousCounts == [nil, 0, 1])
        #expect(recorder.places == [0, 1, 2])
    }

    @Test func `each of several observers in one chain sees an action once`() {
        let recorders = (0..<3).map { _ in Recorder() }
        let (dispatcher, store) = counter()
        for recorder in recorders {
            let observe = recorder.middleware.observer()
            dispatcher.add { action, chain in
                let before = store.state
                defer { observe(action, before, store.state) }
                return chain.proceed(action)
            }
        }
        dispatcher.dispatch(Up())
        #expect(recorders.allSatisfy { $0.counts == [1] })
    }
}
