import Basics
import TrackingEvents

/// Waits until several others are done, and keeps their first error.
final class ErasureCompletion: Sendable {
    private struct State {
        var left: Int
        var first: (any Error)?
        var waiter: CheckedContinuation<(any Error)?, Never>?
    }

    private let state: Lock<State>

    init(of count: Int) { state = Lock(State(left: count)) }

    /// Notes that one of them is done.
    func arrived(_ error: (any Error)?) {
        let waiter: (CheckedContinuation<(any Error)?, Never>, (any Error)?)? = state.withLock { state in
            state.left -= 1
            state.first = state.first ?? error
            guard state.left == 0, let waiter = state.waiter.take() else { return nil }
            return (waiter, state.first)
        }
        if let waiter { waiter.0.resume(returning: waiter.1) }
    }

    /// Returns when all are done. Once.
    func all() async throws {
        let error = await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.left > 0 { state.waiter = continuation }
                return state.left == 0
            }
            if isDone { continuation.resume(returning: state.withLock { $0.first }) }
        }
        if let error { throw error }
    }
}
