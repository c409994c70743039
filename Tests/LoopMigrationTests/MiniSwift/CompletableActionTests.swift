import LoopCore
import LoopFlux
import LoopMigration
import LoopTesting
import TestSupport
import Testing

private struct Loaded: CompletableAction {
    typealias Payload = Int
    let promise: Promise<Int>
}
private struct Done: EmptyAction { let promise: Promise<Void> }
private struct KeyLoaded: KeyedCompletableAction {
    typealias Payload = Int
    typealias Key = String
    let promise: [String: Promise<Int>]
}
private struct KeyDone: KeyedEmptyAction {
    typealias Key = String
    let promise: [String: Promise<Void>]
}
private struct TaskLoaded: CompletableTaskAction {
    typealias Payload = Int
    let task: AnyTask
    let payload: Int?
}
private struct TaskDone: EmptyTaskAction { let task: AnyTask }
private struct KeyTaskLoaded: KeyedCompletableTaskAction {
    typealias Payload = Int
    typealias Key = String
    let task: AnyTask
    let payload: Int?
    let key: String
}
private struct KeyTaskDone: KeyedEmptyTaskAction {
    typealias Key = String
    let task: AnyTask
    let key: String
}

@MainActor @Suite struct CompletableActionTests {
    @Test func `each kind of action is made of a payload`() {
        #expect(Loaded(result: .success(1)).promise == .value(1))
        #expect(Done(result: .success(())).promise == .empty())
        #expect(KeyLoaded(result: .success(1), key: "a").promise == ["a": .value(1)])
        #expect(KeyDone(result: .success(()), key: "a").promise == ["a": .empty()])
        #expect(TaskLoaded(result: .success(1)).task.isSuccessful)
        #expect(TaskLoaded(result: .success(1)).payload == 1)
        #expect(TaskDone(result: .success(())).task.isSuccessful)
        let keyed = KeyTaskLoaded(result: .success(1), key: "a")
        #expect(keyed.task.isSuccessful && keyed.payload == 1 && keyed.key == "a")
        #expect(KeyTaskDone(result: .success(()), key: "a").task.isSuccessful)
    }

    @Test func `each kind of action is made of an error`() {
        #expect(Loaded(result: .failure(Fault.dummy)).promise == .error(Fault.dummy))
        #expect(Done(result: .failure(Fault.dummy)).promise.isRejected)
        #expect(KeyLoaded(result: .failure(Fault.dummy), key: "a").promise == ["a": .error(Fault.dummy)])
        #expect(KeyDone(result: .failure(Fault.dummy), key: "a").promise[promise: "a"].isRejected)
        #expect(TaskLoaded(result: .failure(Fault.dummy)).task == .failure(Fault.dummy))
        #expect(TaskLoaded(result: .failure(Fault.dummy)).payload == nil)
        #expect(TaskDone(result: .failure(Fault.dummy)).task.error as? Fault == .dummy)
        let keyed = KeyTaskLoaded(result: .failure(Fault.dummy), key: "a")
        #expect(keyed.task.isFailure && keyed.payload == nil && keyed.key == "a")
        #expect(KeyTaskDone(result: .failure(Fault.dummy), key: "b").key == "b")
    }

    @Test func `an action is made of work without being dispatched`() async {
        #expect(await Loaded.action { 1 }.promise == .value(1))
        #expect(await Loaded.action { throw Fault.dummy }.promise == .error(Fault.dummy))
        #expect(await Loaded.action(fillOnError: 7) { throw Fault.dummy }.promise == .value(7))
        #expect(await Loaded.action(fillOnError: 7) { 1 }.promise == .value(1))
        #expect(await KeyLoaded.action(key: "a", fillOnError: 7) { throw Fault.dummy }.promise == ["a": .value(7)])
        #expect(await KeyLoaded.action(key: "a") { throw Fault.dummy }.promise == ["a": .error(Fault.dummy)])
        #expect(await TaskDone.action {}.task.isSuccessful)
    }

    @Test func `the cancellation of the work is an error like any other`() async {
        #expect(await Loaded.action { throw CancellationError() }.promise.error is CancellationError)
    }

    @Test func `a success counts as recent for as long as the dispatch says`() async {
        let time = ManualClock()
        let dispatcher = Dispatcher(clock: time.clock)
        let tasks = Log<AnyTask>()
        dispatcher.subscribe(to: TaskLoaded.self) { tasks.note($0.task) }
        dispatcher.subscribe(to: KeyTaskLoaded.self) { tasks.note($0.task) }
        await dispatcher.dispatch(TaskLoaded.self, expiration: .short) { 1 }.value
        await dispatcher.dispatch(KeyTaskLoaded.self, key: "a", expiration: .custom(.seconds(2))) { 1 }.value
        await dispatcher.dispatch(TaskLoaded.self) { 1 }.value
        #expect(tasks.lines.map(\.isRecentlySucceeded) == [true, true, false])
        time.advance(by: .seconds(2))
        #expect(tasks.lines.map(\.isRecentlySucceeded) == [true, false, false])
        time.advance(by: .seconds(58))
        #expect(tasks.lines.map(\.isRecentlySucceeded) == [false, false, false])
    }
}
