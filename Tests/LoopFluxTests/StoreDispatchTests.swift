import LoopCore
import LoopFlux
import LoopMigration
import TestSupport
import Testing

private struct Load: Action {
    var key = "a"
    var result: Result<Int, any Error> = .success(1)
}
private struct Loaded: PayloadAction { let result: Result<Int, any Error> }
private struct KeyLoaded: KeyedPayloadAction {
    let result: Result<Int, any Error>
    let key: String
}

private struct State: Equatable {
    var product: Promise<Int> = .idle()
    var prices: [String: Promise<Int>] = [:]
    var task: TypedTask<Int> = .idle()
}

@MainActor private final class Controller {
    let dispatcher: Dispatcher
    init(_ dispatcher: Dispatcher) { self.dispatcher = dispatcher }

    func load(_ load: Load) {
        dispatcher.dispatch(Loaded.self) {
            await Task.yield()
            return try load.result.get()
        }
        dispatcher.dispatch(KeyLoaded.self, key: load.key) {
            await Task.yield()
            return try load.result.get()
        }
    }
}

@MainActor @Suite struct StoreDispatchTests {
    let dispatcher = Dispatcher()
    private let store: Store<State, Controller>

    init() {
        store = Store(State(), dispatcher: dispatcher, controller: Controller(dispatcher))
        store.reducer(of: Load.self) { state, load, controller in
            state.product = .pending()
            state.prices[load.key] = .pending()
            state.task = .running()
            controller.load(load)
        }
        store.reducer(of: Loaded.self) { state, loaded in
            state.product.resolve(loaded.result)
            switch loaded.result {
            case .success(let value): state.task = .success(value)
            case .failure(let error): state.task = .failure(error)
            }
        }
        store.reducer(of: KeyLoaded.self) { state, loaded in state.prices[loaded.key]?.resolve(loaded.result) }
    }

    @Test func `waits for the promise that the action asked for`() async throws {
        #expect(try await store.dispatch(Load(), until: \.product.result) == 1)
    }

    @Test func `waits for the next result, not for the one before`() async throws {
        try await store.dispatch(Load(result: .success(1)), until: \.product.result)
        #expect(try await store.dispatch(Load(result: .success(2)), until: \.product.result) == 2)
    }

    @Test func `throws the error of a rejected promise`() async {
        await #expect(throws: Fault.dummy) {
            try await store.dispatch(Load(result: .failure(Fault.dummy)), until: \.product.result)
        }
        #expect(store.state.product.isRejected)
    }

    @Test func `waits for one promise of several`() async throws {
        #expect(try await store.dispatch(Load(key: "b"), until: { $0.prices["b"]?.result }) == 1)
        #expect(store.state.prices == ["b": .value(1)])
    }

    @Test func `waits for a task`() async throws {
        #expect(try await store.dispatch(Load(), until: \.task.result) == 1)
        await #expect(throws: Fault.other) { try await store.dispatch(Load(result: .failure(Fault.other)), until: \.task.result) }
    }

    @Test func `waiting ends when its own task is cancelled`() async {
        let waiting = Task { @MainActor [store] in
            try await store.firstState { $0.product.isRejected }
        }
        for _ in 0..<5 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(store.observers.bindingCount == 0)
    }

    @Test func `waiting ends when the dispatcher is stopped`() async {
        let waiting = Task { @MainActor [store] in
            try await store.firstState { $0.product.isRejected }
        }
        for _ in 0..<5 { await Task.yield() }
        dispatcher.stop()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: CancellationError.self) { try await store.dispatch(Load(), until: \.product.result) }
        #expect(store.observers.bindingCount == 0)
    }

    @Test func `the first state that fits may be the current one`() async throws {
        #expect(try await store.firstState { $0.product.isIdle } == State())
    }
}
