import Basics

/// The end of a request to the writer's thread. It comes once, with or without an error, and threads can wait for it.
final class Completion: Sendable {
    /// How long a thread that has to give up may take for that.
    static let grace: Duration = .milliseconds(500)

    /// The error that the request ended with, once it has ended.
    private let state = Lock<EventFileError??>(nil)
    private let ended = Condition()
    private let then: (@Sendable (EventFileError?) -> Void)?

    /// - Parameter then: called at the end.
    init(then: (@Sendable (EventFileError?) -> Void)? = nil) { self.then = then }

    var error: EventFileError? { state.withLock { $0 ?? nil } }

    /// Ends the request. Later ends change nothing.
    func end(_ error: EventFileError?) {
        let isFirst = state.withLock { state in
            guard state == nil else { return false }
            state = .some(error)
            ended.broadcast()
            return true
        }
        if isFirst { then?(error) }
    }

    /// Blocks until the end; `false` if that takes longer than `limit`.
    func wait(_ limit: Duration?) -> Bool {
        let clock = MonotonicClock.system
        let until = limit.map { clock.nanoseconds.addingClamped($0.clampedNanoseconds) }
        return state.wait(on: ended) { state in
            if state != nil { return .done(true) }
            guard let until else { return .wait(nanoseconds: nil) }
            let left = until.subtractingClamped(clock.nanoseconds)
            return left <= 0 ? .done(false) : .wait(nanoseconds: left)
        }
    }
}
