/// Steps and settings that are well written each, and make no funnel together.
public enum FunnelDefinitionError: Error, Sendable, Hashable {
    /// A funnel has 1 to 32 steps.
    case stepCount(Int)
    case firstStepOptional
    /// The grammar reads optional steps; the engine does not count them yet. `step` is 1 for the first.
    case optionalStepsNotAvailable(step: Int)
    case negativeWindow(Int64)
    /// No start lies between the two.
    case emptyTimeRange(since: Int64, until: Int64)
}

extension FunnelDefinitionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .stepCount(let count): "a funnel has 1 to \(StepGrammar.mostSteps) steps, here are \(count)"
        case .firstStepOptional: "the first step is never optional: take the `?` away"
        case .optionalStepsNotAvailable(let step):
            "step \(step) is optional, and optional steps are not available yet: take the `?` or the step away"
        case .negativeWindow(let milliseconds): "a window of \(milliseconds) ms is negative"
        case .emptyTimeRange(let since, let until): "the time range is empty: it begins at \(since) ms and ends at \(until) ms"
        }
    }
}
