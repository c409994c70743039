/// A part of an event's way through the loop that is measured by itself.
public enum TracePhase: Int, Sendable, CaseIterable, CustomStringConvertible {
    /// From `send` to the beginning of the reducer.
    case queueWait
    /// The reducer.
    case reduce
    /// The asynchronous work of the event's `Next`.
    case effect
    /// All bindings together, those of loading states included.
    case bindings
    /// All middleware together, but for what traces; that of loading states included.
    case middleware
    /// All of these.
    case total
    /// The effects of feedbacks that the event started, each by itself. They run beside the loop and are no part of the total.
    case feedback

    public var description: String {
        switch self {
        case .queueWait: "queue wait"
        case .reduce: "reduce"
        case .effect: "effect"
        case .bindings: "bindings"
        case .middleware: "middleware"
        case .total: "total"
        case .feedback: "feedback"
        }
    }
}
