import LoopFlux
import Testing

private struct Tapped: Action {}
private struct Loaded: Action { let id: Int }

@MainActor @Suite struct SubscriptionTokenTests {
    let dispatcher = Dispatcher()
    let log = Log<String>()

    private func subscribe(_ name: String) -> Subscription {
        dispatcher.subscribe(to: Tapped.self) { [log] _ in log.note(name) }
    }

    @Test func `a bag ends what it holds when it goes`() {
        var bag: SubscriptionBag? = SubscriptionBag()
        subscribe("a").disposed(by: bag!)
        subscribe("b").disposed(by: bag!)
        dispatcher.dispatch(Tapped())
        bag = nil
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["a", "b"])
        #expect(dispatcher.subscriptionCount == 0)
    }

    @Test func `a bag can be emptied and filled again`() {
        let bag = SubscriptionBag()
        bag.insert(subscribe("a"))
        bag.dispose()
        bag.dispose()
        bag.insert(subscribe("b"))
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["b"])
    }

    @Test func `an action reducer is in force until it is disposed of, kept or not`() {
        ActionReducer(of: Loaded.self, on: dispatcher) { [log] in log.note("unkept \($0.id)") }
        let reducer = ActionReducer(of: Loaded.self, on: dispatcher, priority: 1) { [log] in log.note("first \($0.id)") }
        dispatcher.dispatch(Loaded(id: 1))
        #expect(!reducer.isDisposed)
        reducer.dispose()
        reducer.dispose()
        #expect(reducer.isDisposed)
        dispatcher.dispatch(Loaded(id: 2))
        #expect(log.lines == ["first 1", "unkept 1", "unkept 2"])
    }

    @Test func `a group ends all its reducers, however it is made`() {
        let groups = [
            ReducerGroup(subscribe("a"), ActionReducer(of: Tapped.self, on: dispatcher) { [log] _ in log.note("b") }),
            ReducerGroup([subscribe("c")]), ReducerGroup { [subscribe("d"), subscribe("e")] }, ReducerGroup(),
        ]
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["a", "b", "c", "d", "e"])
        #expect(dispatcher.subscriptionCount == 5)
        groups[0].dispose()
        groups[0].dispose()
        #expect(dispatcher.subscriptionCount == 3)
        for group in groups { group.dispose() }
        dispatcher.dispatch(Tapped())
        #expect(log.lines.count == 5)
    }

    @Test func `a group that is not kept stays in force`() {
        _ = ReducerGroup(subscribe("a"))
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["a"])
    }

    @Test func `groups in a bag end with it`() {
        var bag: SubscriptionBag? = SubscriptionBag()
        ReducerGroup(subscribe("a"), subscribe("b")).disposed(by: bag!)
        #expect(dispatcher.subscriptionCount == 2)
        bag = nil
        #expect(dispatcher.subscriptionCount == 0)
    }

    @Test func `a reducer disposed of by another while an action is told is not called`() {
        let later = Log<ActionReducer<Tapped>>()
        ActionReducer(of: Tapped.self, on: dispatcher, priority: 1) { _ in later.lines.last?.dispose() }
        later.note(ActionReducer(of: Tapped.self, on: dispatcher) { [log] _ in log.note("later") })
        dispatcher.dispatch(Tapped())
        #expect(log.lines.isEmpty)
    }

    @Test func `an action queued from inside a handler is told after the current one`() {
        dispatcher.subscribe(to: Loaded.self) { [dispatcher, log] loaded in
            log.note("begins")
            if loaded.id == 1 { dispatcher.enqueue(Tapped()) }
            log.note("ends")
        }
        _ = subscribe("tapped")
        dispatcher.dispatch(Loaded(id: 1))
        #expect(log.lines == ["begins", "ends", "tapped"])
    }
}
