extension FunnelDefinition {
    /// How the steps have to follow each other. A new order needs an answer to every question below, and an engine in `engine()`.
    public enum Order: String, Sendable, Hashable, CaseIterable {
        /// In the order given, with any other events between.
        case ordered
        /// In the order given; any other event of the key between two steps ends the attempt.
        case strict
        /// In any order: the n-th bar counts keys with any n steps inside one window, which begins with the earliest of them.
        case any
    }
}

extension FunnelDefinition.Order {
    /// Whether an event that fits no step matters: it ends the attempt, so the scan must keep it.
    var keepsUnmatched: Bool { self == .strict }

    /// Whether the n-th event of a chain always takes step n.
    package var numbersSteps: Bool { self != .any }

    /// Whether other engines count it: those of ``FunnelCompat``, and those that run the SQL of ``FunnelSQL``.
    var isCountedElsewhere: Bool { self == .ordered }

    package var windowOrigin: String { numbersSteps ? "step 1" : "the earliest step" }

    /// A few words for the help of `--order`.
    package var summary: String {
        switch self {
        case .ordered: "other events may come between"
        case .strict: "none may"
        case .any: "the steps in any order, and the n-th bar counts any n of them"
        }
    }

    /// What a report says of the order.
    package var words: String {
        switch self {
        case .ordered: "ordered; other events may come between, events of one millisecond in any order"
        case .strict: "strict; no other event may come between, events of one millisecond in any order"
        case .any: "any; the n-th bar counts any n of the steps inside one window from the earliest of them"
        }
    }

    /// A setting of the definition that has no meaning in this order, and why; `nil` if every setting has one.
    func objection(to definition: FunnelDefinition) -> (part: FunnelDefinition.Part, reason: String)? {
        let countsAttempts = definition.counting == .attempts
        switch self {
        case .ordered: return nil
        case .strict: return countsAttempts ? (.attempts, "each start ends the attempt before it") : nil
        case .any:
            if definition.steps.contains(where: \.isOptional) { return (.optionalSteps, "any of its steps may be missing") }
            if definition.stepWindowMilliseconds != nil { return (.stepWindow, "its steps have no neighbours") }
            if countsAttempts { return (.attempts, "no step opens one") }
            guard definition.exclusions.contains(where: { $0.steps != nil }) else { return nil }
            return (.boundedExclusions, "leave the `@` away, and it holds between the first and the last")
        }
    }
}
