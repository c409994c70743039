import LoopCore
import LoopFlux
import LoopMigration
import TestSupport
import Testing

/// The tests of Mini-Swift 3 and of its version 1, restated for LoopFlux and Mini's spellings.
///
/// One suite for each of Mini's test classes, one test for each of its cases, and one for each of its faults that is mended.
@Suite enum MiniSwiftBehaviour {
    // One counter in each form that Mini has: a promise, promises under keys, and a value with a task.

    struct SetCounter: Action { let counter: Int }
    struct CounterLoaded: Action { let counter: Promise<Int> }
    struct SetKeyedCounter: Action { let counter: Int, key: String }
    struct KeyedCounterLoaded: KeyedCompletableAction {
        typealias Key = String
        typealias Payload = Int
        let promise: [Key: Promise<Payload>]
    }
    struct SetRawCounter: Action { let rawCounter: Int }
    struct RawCounterLoaded: CompletableTaskAction {
        typealias Payload = Int
        let task: AnyTask
        let payload: Payload?
    }

    struct State: Equatable {
        var counter: Promise<Int> = .idle()
        var keyedCounter: [String: Promise<Int>] = [:]
        var rawCounter: Int?
        var rawCounterTask: AnyTask = .idle()
    }

    /// Answers later, as Mini's does with `mode: .async`.
    struct Controller {
        let inbox: ActionInbox

        func counter(_ number: Int) { inbox.send(CounterLoaded(counter: .value(number))) }
        func rawCounter(_ number: Int) { inbox.send(RawCounterLoaded(task: .success(), payload: number)) }
        func keyedCounter(_ number: Int, key: String) { inbox.send(KeyedCounterLoaded(promise: [key: .value(number)])) }
    }

    typealias CounterStore = Store<State, Controller>

    @MainActor static func makeStore(_ dispatcher: Dispatcher) -> CounterStore {
        CounterStore(State(), dispatcher: dispatcher, controller: Controller(inbox: dispatcher.inbox()))
    }

    /// Records every action and swallows it: Mini's `TestMiddleware`.
    final class Muting {
        private(set) var all: [any Action] = []
        private(set) var middleware = DispatchMiddleware { _, _ in }

        init() { middleware = DispatchMiddleware { [weak self] action, _ in self?.all.append(action) } }

        func actions<Seen: Action>(of type: Seen.Type) -> [Seen] { all.compactMap { $0 as? Seen } }
        func clear() { all = [] }

        /// The one action that was dispatched.
        func only<Seen: Action>(_ type: Seen.Type) throws -> Seen {
            let actions = actions(of: type)
            try #require(actions.count == 1 && all.count == 1)
            return actions[0]
        }
    }
}

extension ReducerGroup where State == MiniSwiftBehaviour.State, Controller == MiniSwiftBehaviour.Controller {
    static var counters: ReducerGroup {
        ReducerGroup()
            .reducer(of: MiniSwiftBehaviour.SetCounter.self) { state, action, controller in
                guard !state.counter.isPending else { return }
                state.counter = .pending()
                controller.counter(action.counter)
            }
            .reducer(of: MiniSwiftBehaviour.CounterLoaded.self) { state, action in state.counter.resolve(action.counter.result) }
            .reducer(of: MiniSwiftBehaviour.SetKeyedCounter.self) { state, action, controller in
                guard !state.keyedCounter[promise: action.key].isPending else { return }
                state.keyedCounter = state.keyedCounter.mergingNew(with: [action.key: .pending()])
                controller.keyedCounter(action.counter, key: action.key)
            }
            .reducer(of: MiniSwiftBehaviour.KeyedCounterLoaded.self) { state, action in
                state.keyedCounter.resolve(with: action.promise)
            }
            .reducer(of: MiniSwiftBehaviour.SetRawCounter.self) { state, action, controller in
                guard !state.rawCounterTask.isRunning else { return }
                state.rawCounterTask = .running()
                controller.rawCounter(action.rawCounter)
            }
            .reducer(of: MiniSwiftBehaviour.RawCounterLoaded.self) { state, action in
                guard state.rawCounterTask.isRunning else { return }
                state.rawCounter = action.payload
                state.rawCounterTask = action.task
            }
    }
}
