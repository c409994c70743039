#if PEER_RESWIFT
import ReSwift

private struct Up: Action {}

private final class Subscriber: StoreSubscriber {
    let onlooker = Onlooker()
    func newState(state: Int) { onlooker.see(state) }
}

extension Contender {
    static let reSwift = Contender("ReSwift") { events in
        let store = Store<Int>(reducer: { action, state in (state ?? 0) + (action is Up ? 1 : 0) }, state: 0)
        let subscriber = Subscriber()
        store.subscribe(subscriber)
        for _ in 0..<events { store.dispatch(Up()) }
        return subscriber.onlooker.tally(state: store.state)
    }
}
#endif
