/// A part of an event's way through the loop that is measured by itself.
public enum TracePhase: Int, Sendable, CaseIterable, CustomStringConvertible {
    /// From `send` to the beginning of the reducer.
    case queueWait
    /// The reducer.
    case reduce
    /// The asynchronous work of the event's `Next`.
    case effect
    /// All bindings together.
    case bindings
    /// All of these.
    case total

    public var description: String {
        switch self {
        case .queueWait: "queue wait"
        case .reduce: "reduce"
        case .effect: "effect"
        case .bindings: "bindings"
        case .total: "total"
        }
    }
}
