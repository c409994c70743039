import LoopFlux
import LoopMigration
import TestSupport
import Testing

extension MiniSwiftBehaviour {
    struct PromisedInt: CompletableAction {
        typealias Payload = Int
        let promise: Promise<Payload>
    }
    struct PromisedKeyedInt: KeyedCompletableAction {
        typealias Payload = Int
        typealias Key = String
        let promise: [Key: Promise<Payload>]
    }
    struct PromisedEnd: EmptyAction { let promise: Promise<Void> }

    struct TaskInt: CompletableTaskAction {
        typealias Payload = Int
        let task: AnyTask
        let payload: Payload?
    }
    struct TaskKeyedInt: KeyedCompletableTaskAction {
        typealias Payload = Int
        typealias Key = String
        let task: AnyTask
        let payload: Int?
        let key: Key
    }
    struct TaskEnd: EmptyTaskAction { let task: AnyTask }

    /// Mini's `Single` and `Completable` extensions, over `async`.
    @MainActor @Suite struct PromisedDispatch {
        let dispatcher = Dispatcher()
        let muting = Muting()

        init() { dispatcher.add(muting.middleware) }

        @Test func `a value is dispatched`() async throws {
            await dispatcher.dispatch(PromisedInt.self) { 1 }.value
            #expect(try muting.only(PromisedInt.self).promise == .value(1))
        }

        @Test func `an error is filled`() async throws {
            await dispatcher.dispatch(PromisedInt.self, fillOnError: 1) { throw Fault.dummy }.value
            #expect(try muting.only(PromisedInt.self).promise.value == 1)
        }

        @Test func `an error is dispatched`() async throws {
            await dispatcher.dispatch(PromisedInt.self) { throw Fault.dummy }.value
            #expect(try muting.only(PromisedInt.self).promise == .error(Fault.dummy))
        }

        @Test func `a value is dispatched under a key`() async throws {
            await dispatcher.dispatch(PromisedKeyedInt.self, key: "hello") { 1 }.value
            #expect(try muting.only(PromisedKeyedInt.self).promise == ["hello": .value(1)])
        }

        @Test func `an error is filled under a key`() async throws {
            await dispatcher.dispatch(PromisedKeyedInt.self, key: "hello", fillOnError: 1) { throw Fault.dummy }.value
            #expect(try muting.only(PromisedKeyedInt.self).promise == ["hello": .value(1)])
        }

        @Test func `an error is dispatched under a key`() async throws {
            await dispatcher.dispatch(PromisedKeyedInt.self, key: "hello") { throw Fault.dummy }.value
            #expect(try muting.only(PromisedKeyedInt.self).promise == ["hello": .error(Fault.dummy)])
        }

        @Test func `an action is made of a value`() async { #expect(await PromisedInt.action { 1 }.promise == .value(1)) }

        @Test func `an action is made of an error that is filled`() async {
            #expect(await PromisedInt.action(fillOnError: 1) { throw Fault.dummy }.promise == .value(1))
        }

        @Test func `an action is made of an error`() async {
            #expect(await PromisedInt.action { throw Fault.dummy }.promise == .error(Fault.dummy))
        }

        @Test func `an empty action is made of an end`() async { #expect(await PromisedEnd.action {}.promise == .empty()) }

        @Test func `an empty action is made of an error`() async {
            #expect(await PromisedEnd.action { throw Fault.dummy }.promise == .error(Fault.dummy))
        }

        @Test func `an end is dispatched`() async throws {
            await dispatcher.dispatch(PromisedEnd.self) {}.value
            #expect(try muting.only(PromisedEnd.self).promise.isResolved)
        }

        @Test func `an end with an error is dispatched`() async throws {
            await dispatcher.dispatch(PromisedEnd.self) { throw Fault.dummy }.value
            let promise = try muting.only(PromisedEnd.self).promise
            #expect(promise.isResolved && promise.isCompleted && promise.isRejected)
        }
    }

    /// Dispatches of completable actions with tasks.
    @MainActor @Suite struct TaskDispatch {
        let dispatcher = Dispatcher()
        let muting = Muting()

        init() { dispatcher.add(muting.middleware) }

        @Test func `a value is dispatched`() async throws {
            await dispatcher.dispatch(TaskInt.self) { 1 }.value
            #expect(try muting.only(TaskInt.self).payload == 1)
            #expect(try muting.only(TaskInt.self).task == .success())
        }

        @Test func `an error is filled`() async throws {
            await dispatcher.dispatch(TaskInt.self, fillOnError: 1) { throw Fault.dummy }.value
            #expect(try muting.only(TaskInt.self).payload == 1)
            #expect(try muting.only(TaskInt.self).task.isSuccessful)
        }

        @Test func `an error is dispatched`() async throws {
            await dispatcher.dispatch(TaskInt.self) { throw Fault.dummy }.value
            #expect(try muting.only(TaskInt.self).task.error as? Fault == .dummy)
        }

        @Test func `a value is dispatched under a key`() async throws {
            await dispatcher.dispatch(TaskKeyedInt.self, key: "hello") { 1 }.value
            let action = try muting.only(TaskKeyedInt.self)
            #expect(action.payload == 1 && action.key == "hello" && action.task.isSuccessful)
        }

        @Test func `an error is filled under a key`() async throws {
            await dispatcher.dispatch(TaskKeyedInt.self, key: "hello", fillOnError: 1) { throw Fault.dummy }.value
            let action = try muting.only(TaskKeyedInt.self)
            #expect(action.payload == 1 && action.key == "hello" && action.task.isSuccessful)
        }

        @Test func `an error is dispatched under a key`() async throws {
            await dispatcher.dispatch(TaskKeyedInt.self, key: "hello") { throw Fault.dummy }.value
            let action = try muting.only(TaskKeyedInt.self)
            #expect(action.payload == nil && action.key == "hello" && action.task.isFailure)
        }

        @Test func `an action is made of a value`() async {
            let action = await TaskInt.action { 1 }
            #expect(action.task == .success() && action.payload == 1)
        }

        @Test func `an action is made of an error that is filled`() async {
            let action = await TaskInt.action(fillOnError: 1) { throw Fault.dummy }
            #expect(action.task == .success() && action.payload == 1)
        }

        @Test func `an action is made of an error`() async {
            let action = await TaskInt.action { throw Fault.dummy }
            #expect(action.task == .failure(Fault.dummy) && action.payload == nil)
        }

        @Test func `an empty action is made of an end`() async { #expect(await TaskEnd.action {}.task == .success()) }

        @Test func `an empty action is made of an error`() async {
            #expect(await TaskEnd.action { throw Fault.dummy }.task == .failure(Fault.dummy))
        }

        @Test func `an end is dispatched`() async throws {
            await dispatcher.dispatch(TaskEnd.self) {}.value
            #expect(try muting.only(TaskEnd.self).task.isSuccessful)
        }

        @Test func `an end with an error is dispatched`() async throws {
            await dispatcher.dispatch(TaskEnd.self) { throw Fault.dummy }.value
            #expect(try muting.only(TaskEnd.self).task.isFailure)
        }
    }
}
