#if PEER_LOOP
import Loop
import ReactiveSwift

extension Contender {
    /// Loop's state can only be observed, so the tally's state is the last that the observer saw.
    static let loop = Contender("Loop") { events in
        let onlooker = Onlooker()
        let loop = Loop<Int, Increment>(initial: 0, reducer: { state, _ in state += 1 }, feedbacks: [])
        let watching = loop.producer.startWithValues { onlooker.see($0) }
        for _ in 0..<events { loop.send(.up) }
        watching.dispose()
        return onlooker.tally(state: onlooker.last)
    }
}
#endif
