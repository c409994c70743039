import LoopCore
import LoopFlux
import LoopMigration
import TestSupport
import Testing

extension MiniSwiftBehaviour {
    @MainActor @Suite struct ObservationOfStores {
        let dispatcher = Dispatcher()
        let store: CounterStore

        init() {
            store = MiniSwiftBehaviour.makeStore(dispatcher)
            store.subscribe(.counters)
        }

        @Test func `the first state that fits is found, and no later one`() async throws {
            let numbers = Store(0, dispatcher: dispatcher)
            let finding = Task { @MainActor in try await numbers.firstState { $0 >= 20 } }
            for _ in 0..<3 { await Task.yield() }
            for number in [10, 20, 30] { numbers.state = number }
            #expect(try await finding.value == 20)
            #expect(numbers.observers.bindingCount == 0)
        }

        @Test func `states are filtered by a part that is true or false`() {
            struct Item: Equatable {
                var number = 0
                var isDone = false
            }
            let items = Store(Item(), dispatcher: dispatcher)
            let numbers = Log<Int>()
            items.withStateChanges(in: \.number, that: \.isDone) { numbers.note($0) }
            items.state = Item(number: 1, isDone: true)
            items.state = Item(number: 2, isDone: false)
            #expect(numbers.lines == [1])
        }

        @Test func `the current state can be skipped`() {
            let numbers = Store(10, dispatcher: dispatcher)
            let seen = Log<Int>()
            numbers.observe(skippingCurrent: true) { seen.note($0) }
            numbers.state = 20
            numbers.state = 30
            #expect(seen.lines == [20, 30])
        }

        @Test func `an action can be dispatched and its promise awaited`() async throws {
            #expect(try await store.dispatch(SetCounter(counter: 1), until: \.counter.result) == 1)
            #expect(store.state.counter.isResolved)
            #expect(store.state.counter.error == nil)
        }

        @Test func `an action can be dispatched and its promise under a key awaited`() async throws {
            try await store.dispatch(SetKeyedCounter(counter: 1, key: "hello"), until: \.keyedCounter[promise: "hello"].result)
            #expect(store.state.keyedCounter[promise: "hello"].isResolved)
            #expect(store.state.keyedCounter[promise: "hello"].error == nil)
            #expect(store.state.keyedCounter == ["hello": .value(1)])
        }

        @Test func `changes of a promise are seen after a dispatch through the store`() async {
            let counters = Log<Promise<Int>>()
            store.dispatch(SetCounter(counter: 1)).withStateChanges(in: \.counter) { counters.note($0) }
            await dispatcher.settled()
            #expect(counters.lines == [.pending(), .value(1)])
        }

        @Test func `changes of a promise are seen after a dispatch through the dispatcher`() async {
            dispatcher.dispatch(SetCounter(counter: 1))
            let counters = Log<Promise<Int>>()
            store.withStateChanges(in: \.counter) { counters.note($0) }
            await dispatcher.settled()
            #expect(counters.lines == [.pending(), .value(1)])
        }

        @Test func `an optional part is selected when it is there`() async {
            var counters = store.select(\.rawCounter).makeAsyncIterator()
            dispatcher.dispatch(SetRawCounter(rawCounter: 1))
            #expect(await counters.next() == 1)
        }

        @Test func `a part is seen when its task is completed`() async {
            dispatcher.dispatch(SetRawCounter(rawCounter: 1))
            let counters = Log<Int?>()
            store.withStateChanges(in: \.rawCounter, that: \.rawCounterTask.isCompleted) { counters.note($0) }
            await dispatcher.settled()
            #expect(counters.lines == [1])
        }

        /// Mended: Mini maps each state and calls that a change.
        @Test func `withStateChanges sends changes only`() async throws {
            let counters = Log<Promise<Int>>()
            store.withStateChanges(in: \.counter) { counters.note($0) }
            _ = try await store.dispatch(SetKeyedCounter(counter: 1, key: "a"), until: \.keyedCounter[promise: "a"].result)
            store.state.rawCounter = 7
            #expect(counters.lines == [.idle()])
        }

        /// Mended: RxSwift's subject sends the current state to a new observer, and `replaying()` sends it once more.
        @Test func `who comes late is shown the current state once`() {
            store.state.rawCounter = 7
            let states = Log<Int?>()
            store.observe { states.note($0.rawCounter) }
            #expect(states.lines == [7])
        }

        @Test func `replaying once shows the state to all observers`() {
            let states = Log<Int?>()
            store.observe { states.note($0.rawCounter) }
            store.observe { states.note($0.rawCounter) }
            store.replayOnce()
            #expect(states.lines == [nil, nil, nil, nil])
        }
    }
}
