#if PEER_MOBIUS
import MobiusCore

extension Contender {
    static let mobius = Contender("Mobius") { events in
        let onlooker = Onlooker()
        let noEffects = AnyConnectable<Never, Increment> { _ in Connection(acceptClosure: { _ in }, disposeClosure: {}) }
        let update: (Int, Increment) -> Next<Int, Never> = { model, _ in .next(model + 1) }
        let loop = Mobius.loop(update: update, effectHandler: noEffects).start(from: 0)
        loop.addObserver { onlooker.see($0) }
        for _ in 0..<events { loop.dispatchEvent(.up) }
        defer { loop.dispose() }
        return onlooker.tally(state: loop.latestModel)
    }
}
#endif
