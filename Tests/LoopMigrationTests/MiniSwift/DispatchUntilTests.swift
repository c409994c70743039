import LoopFlux
import LoopMigration
import TestSupport
import Testing

private struct Load: Action {
    var key = "a"
    var result: Result<Int, any Error> = .success(1)
}
private struct KeyLoaded: KeyedCompletableAction {
    typealias Payload = Int
    typealias Key = String
    let promise: [String: Promise<Int>]
}
private struct TaskLoaded: CompletableTaskAction {
    typealias Payload = Int
    let task: AnyTask
    let payload: Int?
}

private struct State: Equatable {
    var prices: [String: Promise<Int>] = [:]
    var task: AnyTask = .idle()
    var tasks: KeyedTask<String> = [:]
}

@MainActor private final class Controller {
    let dispatcher: Dispatcher
    let gate = Gate()
    init(_ dispatcher: Dispatcher) { self.dispatcher = dispatcher }

    func load(_ load: Load) {
        dispatcher.dispatch(KeyLoaded.self, key: load.key) { [gate] in
            await gate.pass()
            return try load.result.get()
        }
        dispatcher.dispatch(TaskLoaded.self) { [gate] in
            await gate.pass()
            return try load.result.get()
        }
    }
}

@MainActor @Suite struct DispatchUntilTests {
    let dispatcher = Dispatcher()
    private let controller: Controller
    private let store: Store<State, Controller>

    init() {
        controller = Controller(dispatcher)
        store = Store(State(), dispatcher: dispatcher, controller: controller)
        store.reducer(of: Load.self) { state, load, controller in
            state.prices = state.prices.mergingNew(with: [load.key: .pending()])
            state.task = .running()
            state.tasks[load.key] = .running()
            controller.load(load)
        }
        store.reducer(of: KeyLoaded.self) { state, loaded in state.prices.resolve(with: loaded.promise) }
        store.reducer(of: TaskLoaded.self) { state, loaded in
            state.task = loaded.task
            state.tasks["a"] = loaded.task
        }
        controller.gate.open()
    }

    @Test func `waits for one promise of several`() async throws {
        #expect(try await store.dispatch(Load(key: "b"), until: \.prices[promise: "b"].result) == 1)
        #expect(store.state.prices == ["b": .value(1)])
    }

    @Test func `waits for a task, and for one of several`() async throws {
        try await store.dispatch(Load(), until: \.task.result)
        #expect(store.state.task.isSuccessful)
        try await store.dispatch(Load(), until: \.tasks[task: "a"].result)
        #expect(store.state.tasks.isSuccessful(key: "a"))
        await #expect(throws: Fault.other) { try await store.dispatch(Load(result: .failure(Fault.other)), until: \.task.result) }
    }
}
