/// How an event or an effect ended.
public enum Outcome: Sendable {
    case finished
    /// The work failed without a recovery, or the event was one too many (``RunawayFeedback``). The state is the one before the event. If
    /// an effect failed, its other parts went on to their ends.
    case failed(any Error)
    /// The work was cancelled or replaced, or threw `CancellationError`, and the state is the one before the event. Or the system was
    /// stopped while the work ran, and the state stays as it was then.
    case cancelled

    /// The error, if it failed.
    public var error: (any Error)? { if case .failed(let error) = self { error } else { nil } }

    @usableFromInline package var isFinished: Bool { if case .finished = self { true } else { false } }

    @usableFromInline package var isCancelled: Bool { if case .cancelled = self { true } else { false } }

    /// The name for programs that read it, which never changes: `finished`, `failed`, `cancelled`.
    package var word: String {
        switch self {
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    /// The error's type and, for an enum, its case. What the error holds is left out, because it may be secret. `nil` unless it failed.
    package var errorName: String? {
        error.map { error in
            let type = String(describing: Swift.type(of: error))
            let name = EventName.name(of: error)
            return name == type ? type : "\(type).\(name)"
        }
    }
}
