import LoopCore
import LoopFlux
import LoopMigration
import TestSupport
import Testing

/// The examples of Mini's READMEs, restated. That they compile is half of what they test.
extension MiniSwiftBehaviour {
    @MainActor @Suite struct ReadMe {
        struct CoolState: Equatable { var cool: Promise<Bool> = .idle() }
        struct CoolTaskState: Equatable {
            var cool: Bool?
            var coolTask: AnyTask = .idle()
        }

        struct RequestContactsAccess: Action {}
        struct RequestContactsAccessResult: CompletableAction {
            typealias Payload = Bool
            let promise: Promise<Payload>
        }
        struct ActivateVoucherLoaded: EmptyAction { let promise: Promise<Void> }
        struct Contact: Equatable { let name: String }
        struct RequestContactLoaded: KeyedCompletableAction {
            typealias Payload = Contact?
            typealias Key = String
            let promise: [Key: Promise<Payload>]
        }
        /// Version 1 names its properties freely and writes the initializer.
        final class ContactsAccessAnswered: CompletableTaskAction {
            typealias Payload = Bool
            let accessTask: AnyTask
            let grantedAccess: Bool?
            required init(task: AnyTask, payload: Bool?) {
                accessTask = task
                grantedAccess = payload
            }
        }

        @Test func `states begin idle`() {
            #expect(CoolState().cool.isIdle)
            #expect(CoolTaskState().coolTask.isIdle)
        }

        @Test func `tasks and promises hold a date for a cache`() {
            let now = ContinuousClock.now
            var promise = Promise<Bool>.idle()
            promise[Moment.self] = now
            var task = AnyTask.idle()
            task[Moment.self] = now
            #expect(promise[Moment.self] == now && task[Moment.self] == now)
        }

        @Test func `an action of each kind is dispatched`() async {
            let dispatcher = Dispatcher()
            let muting = Muting()
            dispatcher.add(muting.middleware)
            dispatcher.dispatch(RequestContactsAccess())
            await dispatcher.dispatch(RequestContactsAccessResult.self) { true }.value
            await dispatcher.dispatch(ActivateVoucherLoaded.self) {}.value
            await dispatcher.dispatch(RequestContactLoaded.self, key: "555") { Contact(name: "Ann") }.value
            await dispatcher.dispatch(ContactsAccessAnswered.self) { true }.value
            #expect(muting.all.count == 5)
            #expect(muting.actions(of: RequestContactsAccessResult.self).first?.promise == .value(true))
            #expect(muting.actions(of: RequestContactLoaded.self).first?.promise == ["555": .value(Contact(name: "Ann"))])
            #expect(muting.actions(of: ContactsAccessAnswered.self).first?.grantedAccess == true)
        }

        // Advanced usage, using promises.

        struct Counter: Equatable { var counter: Promise<Int> = .idle() }
        struct CounterSet: Action { let counter: Int }
        struct CounterCame: Action { let counter: Int }

        /// The side effects that an action may start.
        final class CounterController {
            let inbox: ActionInbox
            init(inbox: ActionInbox) { self.inbox = inbox }
            func counter(_ number: Int) { inbox.send(CounterCame(counter: number)) }
        }

        @Test func `a request is pending until the response fulfils it`() async throws {
            let dispatcher = Dispatcher()
            let store = Store(Counter(), dispatcher: dispatcher, controller: CounterController(inbox: dispatcher.inbox()))
            let bag = SubscriptionBag()
            store.subscribe(
                ReducerGroup()
                    .reducer(of: CounterSet.self) { state, action, controller in
                        guard !state.counter.isPending else { return }
                        state.counter = .pending()
                        controller.counter(action.counter)
                    }
                    .reducer(of: CounterCame.self) { state, action in state.counter.fulfill(action.counter) }
            ).disposed(by: bag)
            dispatcher.dispatch(CounterSet(counter: 4))
            #expect(store.state.counter.isPending)
            #expect(try await store.firstState { $0.counter.isFulfilled }.counter.value == 4)
        }

        // Advanced usage, using tasks.

        struct TaskCounter: Equatable {
            var counter: Int?
            var counterTask: AnyTask = .idle()
        }
        struct TaskCounterCame: Action {
            let counter: Int
            let counterTask: AnyTask
        }
        final class TaskCounterController {
            let inbox: ActionInbox
            init(inbox: ActionInbox) { self.inbox = inbox }
            func counter(_ number: Int) { inbox.send(TaskCounterCame(counter: number, counterTask: .success())) }
        }

        @Test func `a request runs until the response ends it`() async throws {
            let dispatcher = Dispatcher()
            let store = Store(TaskCounter(), dispatcher: dispatcher, controller: TaskCounterController(inbox: dispatcher.inbox()))
            store.reducer(of: CounterSet.self) { state, action, controller in
                guard !state.counterTask.isRunning else { return }
                state = TaskCounter(counterTask: .running())
                controller.counter(action.counter)
            }
            store.reducer(of: TaskCounterCame.self) { state, action in
                guard state.counterTask.isRunning else { return }
                state = TaskCounter(counter: action.counter, counterTask: action.counterTask)
            }
            dispatcher.dispatch(CounterSet(counter: 4))
            #expect(store.state.counterTask.isRunning)
            #expect(try await store.firstState { $0.counterTask.isCompleted } == TaskCounter(counter: 4, counterTask: .success()))
        }

        @Test func `every action is logged by a service, and every step by a system's middleware`() {
            let dispatcher = Dispatcher()
            let store = Store(Counter(), dispatcher: dispatcher)
            store.reducer(of: CounterCame.self) { state, action in state.counter.fulfill(action.counter) }
            let log = Log<String>()
            dispatcher.register(Service { action, _ in log.note("action \(action)") })
            store.attach(Middleware { log.note("step \($0.number)") })
            dispatcher.dispatch(CounterCame(counter: 1))
            #expect(log.lines == ["step 0", "step 1", "action CounterCame(counter: 1)"])
        }
    }
}
