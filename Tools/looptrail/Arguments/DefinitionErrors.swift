import Funnels

// Errors of the library name parts of a definition. Here the parts get the names of the flags that set them.

extension FunnelDefinition.Part {
    /// The flag that sets the part, or the part's own name if no flag of its own sets it.
    fileprivate var flag: String {
        switch self {
        case .compat: "--compat"
        case .order(let order): "--order \(order.rawValue)"
        case .exclusions: "--exclude"
        case .hold: "--hold"
        case .attempts: "--count attempts"
        case .visits: "--count visits"
        case .key: "--by other than user and session"
        case .stepWindow: "--step-window"
        case .matureSessions: "--by session with --mature or a trend"
        case .allGroups: "--breakdown with :all"
        case .pairs: "--breakdown with two properties"
        case .optionalSteps, .boundedExclusions, .hugeNumber: description
        }
    }
}

extension FunnelDefinitionError {
    /// The error in the words of the flags.
    var usage: String {
        switch self {
        case .compat(let part): "--compat does not go with \(part.flag): windowFunnel has nothing like it"
        case .order(let order, let part, let reason): "--order \(order.rawValue) does not go with \(part.flag): \(reason)"
        case .visits(let part): "--count visits does not go with \(part.flag)"
        case .emptyTimeRange: "--since is not before --until: no start lies between the two"
        default: description
        }
    }
}

extension FunnelSQLError {
    /// The error in the words of the flags.
    var usage: String { if case .refused(let part) = self { Self.refusal(of: part.flag) } else { description } }
}
