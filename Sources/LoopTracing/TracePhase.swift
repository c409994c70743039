/// A part of an event's way through the loop that is measured by itself. Files and metrics hold the raw values, so these never change.
public enum TracePhase: String, Sendable, CaseIterable {
    /// From `send` to the beginning of the reducer.
    case queueWait = "queue_wait"
    /// The reducer.
    case reduce
    /// The asynchronous work of the event's `Next`.
    case effect
    /// All bindings, those of loading states included.
    case bindings
    /// All middleware except those that request `.middlewareTime`; includes loading steps.
    case middleware
    /// The sum of the phases above.
    case total
    /// Each effect that the event started, by a feedback or the reducer. It runs beside the loop and is not part of the total.
    case feedback

    /// The name for people: `queue wait`, `reduce` …
    var text: String { self == .queueWait ? "queue wait" : rawValue }
}
