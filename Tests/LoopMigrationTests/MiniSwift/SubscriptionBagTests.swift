import LoopFlux
import LoopMigration
import TestSupport
import Testing

private struct Tapped: Action {}

@MainActor @Suite struct SubscriptionBagTests {
    let dispatcher = Dispatcher()
    let log = Log<String>()

    private func subscribe(_ name: String) -> Subscription {
        dispatcher.subscribe(to: Tapped.self) { [log] _ in log.note(name) }
    }

    @Test func `a bag cancels what it holds when it goes`() {
        var bag: SubscriptionBag? = SubscriptionBag()
        subscribe("a").store(in: bag!)
        subscribe("b").store(in: bag!)
        dispatcher.dispatch(Tapped())
        bag = nil
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["a", "b"])
        #expect(dispatcher.handlerCount == 0)
    }

    @Test func `a bag can be emptied and filled again`() {
        let bag = SubscriptionBag()
        subscribe("a").store(in: bag)
        bag.cancel()
        bag.cancel()
        subscribe("b").store(in: bag)
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["b"])
    }
}
