import Basics

/// Brings the end of each request to whoever waits for it, in whatever order the two come: a request that is cancelled while it is being begun
/// may have ended before somebody waits.
final class RequestEnds<Answer: Sendable>: Sendable {
    private enum Wait {
        /// Nobody waits yet.
        case expected
        case waiting(CheckedContinuation<Answer, any Error>)
        case ended(Result<Answer, any Error>)
    }

    private let waits = Lock<[Int: Wait]>([:])

    /// Somebody is going to wait for a request.
    func expect(_ request: Int) { waits.withLock { $0[request] = .expected } }

    /// Waits for a request that is expected; `begin` is called as soon as an end cannot be missed, and not if the request has ended
    /// already.
    func wait(for request: Int, begin: () -> Void) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            let early: Result<Answer, any Error>? = waits.withLock { waits in
                if case .ended(let result) = waits[request] {
                    waits[request] = nil
                    return result
                }
                waits[request] = .waiting(continuation)
                return nil
            }
            if let early { continuation.resume(with: early) } else { begin() }
        }
    }

    /// A request has ended. Nothing comes of one that nobody expects: a background session may report tasks of an earlier process, whose segments
    /// are sent again.
    func ended(_ request: Int, _ result: Result<Answer, any Error>) {
        let waiting: CheckedContinuation<Answer, any Error>? = waits.withLock { waits in
            switch waits[request] {
            case .waiting(let continuation):
                waits[request] = nil
                return continuation
            case .expected:
                waits[request] = .ended(result)
                return nil
            case .ended, nil: return nil
            }
        }
        waiting?.resume(with: result)
    }
}
