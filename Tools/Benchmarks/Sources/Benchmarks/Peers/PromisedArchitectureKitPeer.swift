#if PEER_PROMISED_ARCHITECTURE_KIT
import PromiseKit
import PromisedArchitectureKit

extension Contender {
    /// Sends the next event when the state after the last is shown. A queue of a million events takes quadratic time in this library, and
    /// the comparison is not about that. Each event takes two turns of the main queue.
    static let promisedArchitectureKit = Contender("PromisedArchitectureKit") { events in
        let onlooker = Onlooker()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            var sendNext: () -> Void = {}
            let system = System<Int, Increment>.pure(
                initialState: 0, reducer: { state, _ in .value(state + 1) },
                uiBindings: [
                    {
                        onlooker.see($0)
                        if $0 > 0, $0 < events { sendNext() }
                        if $0 == events { done.resume() }
                    }
                ])
            sendNext = { system.sendEvent(.up) }
            sendNext()
        }
        return onlooker.tally(state: onlooker.last)
    }
}
#endif
