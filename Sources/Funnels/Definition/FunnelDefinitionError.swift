/// Why valid steps and settings make no funnel together.
public enum FunnelDefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A funnel has 1 to 32 steps.
    case stepCount(Int)
    case firstStepOptional
    case negativeWindow(Int64)
    /// No start lies between the two.
    case emptyTimeRange(since: Int64, until: Int64)
    /// A funnel has at most 32 exclusions.
    case exclusionCount(Int)
    /// An exclusion between steps that the funnel does not have.
    case exclusionBeyondSteps(String, steps: Int)
    /// A breakdown by a step that the funnel does not have.
    case breakdownBeyondSteps(step: Int, steps: Int)
    /// A setting that `windowFunnel` does not have.
    case compat(FunnelDefinition.Part)
    /// A setting with which visits cannot be counted.
    case visits(FunnelDefinition.Part)
    /// A setting that has no meaning in an order, and why.
    case order(FunnelDefinition.Order, FunnelDefinition.Part, String)

    public var description: String {
        switch self {
        case .stepCount(let count): "a funnel has 1 to \(StepGrammar.mostSteps) steps, here are \(count)"
        case .firstStepOptional: "the first step is never optional: take the `?` away"
        case .negativeWindow(let milliseconds): "a window of \(milliseconds) ms is negative"
        case .emptyTimeRange(let since, let until): "the time range is empty: it begins at \(since) ms and ends at \(until) ms"
        case .exclusionCount(let count): "a funnel has at most \(FunnelExclusion.most) exclusions, here are \(count)"
        case .exclusionBeyondSteps(let text, let steps): "the exclusion `\(text)` ends after the last step, which is \(steps)"
        case .breakdownBeyondSteps(let step, let steps): "a breakdown by step \(step): the steps are 1 to \(steps)"
        case .compat(let what): "windowFunnel has nothing like \(what)"
        case .visits(let part): "visits are not counted with \(part)"
        case .order(let order, let part, let reason): "the order \(order.rawValue) does not go with \(part): \(reason)"
        }
    }
}
