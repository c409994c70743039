/// How long the success of a ``TypedTask`` counts as recent, from when the task was made.
public enum TaskExpiration: Sendable, Equatable {
    /// Not at all. The default.
    case immediately
    /// One minute.
    case short
    /// Three minutes.
    case long
    /// Any length; zero or less is ``immediately``.
    case custom(Duration)

    var duration: Duration {
        switch self {
        case .immediately: .zero
        case .short: .seconds(60)
        case .long: .seconds(180)
        case .custom(let duration): duration
        }
    }
}
