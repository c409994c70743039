/// How an event or an effect ended.
public enum Outcome: Sendable {
    case finished
    /// The work failed without a recovery: of an event, the state is the one before it; of an effect, its other parts went on to their ends.
    case failed(any Error)
    /// The work was cancelled or replaced, or threw `CancellationError`, and the state is the one before; or the system was stopped while it
    /// ran, and the state is as it was.
    case cancelled

    /// The error of what failed.
    public var error: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }

    public var isFinished: Bool {
        if case .finished = self { true } else { false }
    }

    package var isCancelled: Bool {
        if case .cancelled = self { true } else { false }
    }
}
