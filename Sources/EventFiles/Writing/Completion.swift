import Basics

/// The end of something that the writer's thread does: comes once, with or without an error, and can be waited for.
final class Completion: Sendable {
    private enum State {
        case underWay(then: (@Sendable (EventFileError?) -> Void)?)
        case ended(EventFileError?)
    }

    /// How long a thread that was told to give up may take for it.
    static let grace: Duration = .milliseconds(500)

    private let state = Monitor(State.underWay(then: nil))
    private let ended = Condition()

    /// The error it ended with.
    var error: EventFileError? {
        state.withLock { state in if case .ended(let error) = state { error } else { nil } }
    }

    /// Calls `body` at the end, or now if that has come. Before anybody could end it, in practice.
    func onEnd(_ body: @escaping @Sendable (EventFileError?) -> Void) {
        let early: EventFileError?? = state.withLock { state in
            if case .ended(let error) = state { return .some(error) }
            state = .underWay(then: body)
            return .none
        }
        if let early { body(early) }
    }

    /// The first end counts.
    func end(_ error: EventFileError?) {
        let then: (@Sendable (EventFileError?) -> Void)? = state.withLock { state in
            guard case .underWay(let then) = state else { return nil }
            state = .ended(error)
            ended.broadcast()
            return then
        }
        then?(error)
    }

    /// Blocks until the end; `false` if that takes longer than `limit`.
    func wait(_ limit: Duration?) -> Bool {
        let clock = MonotonicClock.system
        let until = limit.map { clock.nanoseconds.addingClamped($0.clampedNanoseconds) }
        return state.wait(on: ended) { state in
            if case .ended = state { return .done(true) }
            guard let until else { return .wait(nanoseconds: nil) }
            let left = until.subtractingClamped(clock.nanoseconds)
            return left <= 0 ? .done(false) : .wait(nanoseconds: left)
        }
    }
}
