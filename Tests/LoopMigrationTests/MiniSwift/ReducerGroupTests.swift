import LoopFlux
import LoopMigration
import TestSupport
import Testing

private struct Add: Action { let amount: Int }
private struct Double: Action {}

private final class Controller {
    private(set) var asked: [Int] = []
    func add(_ amount: Int) { asked.append(amount) }
}

extension ReducerGroup where State == Int, Controller == LoopMigrationTests.Controller {
    fileprivate static var counting: ReducerGroup {
        ReducerGroup()
            .reducer(of: Add.self) { state, add, controller in
                state += add.amount
                controller.add(add.amount)
            }
            .reducer(of: Double.self) { state, _ in state *= 2 }
    }
}

@MainActor @Suite struct ReducerGroupTests {
    let dispatcher = Dispatcher()
    private let store: Store<Int, Controller>

    init() { store = Store(1, dispatcher: dispatcher, controller: Controller()) }

    @Test func `a group registers nothing by being made`() {
        let group = ReducerGroup<Int, Controller>.counting
        dispatcher.dispatch(Add(amount: 1))
        #expect(dispatcher.handlerCount == 0)
        #expect(store.state == 1)
        store.subscribe(group)
        dispatcher.dispatch(Add(amount: 1))
        #expect(dispatcher.handlerCount == 2)
        #expect(store.state == 2)
    }

    @Test func `cancelling the subscription ends all its reducers`() {
        let subscription = store.subscribe(.counting)
        dispatcher.dispatch(Add(amount: 2))
        dispatcher.dispatch(Double())
        subscription.cancel()
        subscription.cancel()
        dispatcher.dispatch(Double())
        #expect(store.state == 6)
        #expect(store.controller.asked == [2])
        #expect(dispatcher.handlerCount == 0)
    }

    @Test func `one group serves several stores`() {
        let group = ReducerGroup<Int, Controller>.counting
        let other = Store(10, dispatcher: dispatcher, controller: Controller())
        store.subscribe(group)
        let subscription = other.subscribe(group)
        dispatcher.dispatch(Double())
        subscription.cancel()
        dispatcher.dispatch(Double())
        #expect(store.state == 4)
        #expect(other.state == 20)
    }

    @Test func `reducers are called by priority, also among groups`() {
        let log = Log<String>()
        store.subscribe(ReducerGroup().reducer(of: Double.self) { _, _ in log.note("default") })
        store.subscribe(ReducerGroup().reducer(of: Double.self, priority: 1) { _, _ in log.note("first") })
        dispatcher.dispatch(Double())
        #expect(log.lines == ["first", "default"])
    }

    @Test func `a subscription in a bag ends with it`() {
        var bag: SubscriptionBag? = SubscriptionBag()
        store.subscribe(.counting).store(in: bag!)
        #expect(dispatcher.handlerCount == 2)
        bag = nil
        #expect(dispatcher.handlerCount == 0)
    }
}
