extension FunnelDefinition {
    /// A part of a definition that something else rules out, for errors.
    public enum Part: Sendable, Hashable, CustomStringConvertible {
        case compat
        case order(Order)
        case optionalSteps, exclusions
        /// An exclusion that holds between two steps.
        case boundedExclusions
        case hold, attempts, visits
        /// Any key other than users and sessions.
        case key
        case stepWindow
        /// Mature starts of sessions: a start is mature, too, once its session has been silent.
        case matureSessions
        /// A breakdown by all values of a key.
        case allGroups
        /// A breakdown by two properties.
        case pairs
        /// A number beyond doubles in a test, or a whole one beyond 64 bits.
        case hugeNumber

        public var description: String {
            switch self {
            case .compat: "the rules of windowFunnel"
            case .order(let order): "the order \(order.rawValue)"
            case .optionalSteps: "optional steps"
            case .exclusions: "exclusions"
            case .boundedExclusions: "an exclusion between two steps"
            case .hold: "a held property"
            case .attempts: "counting attempts"
            case .visits: "counting visits"
            case .key: "a key other than user and session"
            case .stepWindow: "a step window"
            case .matureSessions: "mature starts of sessions"
            case .allGroups: "a breakdown by all values"
            case .pairs: "a breakdown by two properties"
            case .hugeNumber: "a whole number beyond 64 bits, or one beyond 1.8e308, in a test"
            }
        }
    }
}
