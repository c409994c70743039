import Basics

/// The end of a request to the writer's thread. It comes once, with or without an error, and threads can wait for it.
final class Completion: Sendable {
    private enum State {
        case underWay(then: (@Sendable (EventFileError?) -> Void)?)
        case ended(EventFileError?)
    }

    /// How long a thread that has to give up may take for that.
    static let grace: Duration = .milliseconds(500)

    private let state = Lock(State.underWay(then: nil))
    private let ended = Condition()

    /// The error the request ended with.
    var error: EventFileError? {
        state.withLock { state in if case .ended(let error) = state { error } else { nil } }
    }

    /// Calls `body` at the end, or at once if the end has come.
    func onEnd(_ body: @escaping @Sendable (EventFileError?) -> Void) {
        let early: EventFileError?? = state.withLock { state in
            if case .ended(let error) = state { return .some(error) }
            state = .underWay(then: body)
            return .none
        }
        if let early { body(early) }
    }

    /// Ends the request. Later ends change nothing.
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
