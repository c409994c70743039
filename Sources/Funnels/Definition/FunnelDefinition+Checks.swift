extension FunnelDefinition {
    /// Rejects settings that are wrong by themselves, then those that contradict each other.
    func check() throws(FunnelDefinitionError) {
        guard (1...StepGrammar.mostSteps).contains(steps.count) else { throw .stepCount(steps.count) }
        if steps[0].isOptional { throw .firstStepOptional }
        guard windowMilliseconds >= 0 else { throw .negativeWindow(windowMilliseconds) }
        if let stepWindowMilliseconds, stepWindowMilliseconds < 0 { throw .negativeWindow(stepWindowMilliseconds) }
        if let since, let until, since >= until { throw .emptyTimeRange(since: since, until: until) }
        guard exclusions.count <= FunnelExclusion.most else { throw .exclusionCount(exclusions.count) }
        for exclusion in exclusions where (exclusion.steps?.upperBound ?? 0) > steps.count {
            throw .exclusionBeyondSteps("\(exclusion)", steps: steps.count)
        }
        if case .step(let step)? = breakdown?.attribution, !(1...steps.count).contains(step) {
            throw .breakdownBeyondSteps(step: step, steps: steps.count)
        }
        if compat != nil, let part = firstPart(of: [.order(order), .exclusions, .optionalSteps, .hold, .attempts, .stepWindow]) {
            throw .compat(part)
        }
        if counting == .visits, let part = obstacleToVisits { throw .visits(part) }
        if let (part, reason) = order.objection(to: self) { throw .order(order, part, reason) }
    }

    /// The part with which visits cannot be counted; `nil` if they can be.
    package var obstacleToVisits: Part? { firstPart(of: [.compat] + (order.numbersSteps ? [] : [.order(order)]) + [.hold, .key]) }

    /// The first of `parts` that the definition has. An order counts as one only if `windowFunnel` and SQL cannot count it.
    func firstPart(of parts: [Part]) -> Part? {
        parts.first { part in
            switch part {
            case .compat: compat != nil
            case .order(let order): !order.isCountedElsewhere
            case .optionalSteps: steps.contains(where: \.isOptional)
            case .exclusions: !exclusions.isEmpty
            case .boundedExclusions: exclusions.contains { $0.steps != nil }
            case .hold: hold != nil
            case .attempts: counting == .attempts
            case .visits: counting == .visits
            case .key: ![.user, .session].contains(key)
            case .stepWindow: stepWindowMilliseconds != nil
            case .matureSessions: key == .session && starts == .mature
            case .allGroups: breakdown?.attribution == .all
            case .pairs: breakdown?.properties.count ?? 0 > 1
            case .hugeNumber: patterns.flatMap(\.tests).contains { NumberText.isHuge($0.value) }
            }
        }
    }

    /// This funnel with another time range for its starts.
    ///
    /// - Parameters:
    ///   - since: the first millisecond since 1970 UTC in which an attempt may start.
    ///   - until: the first millisecond since 1970 UTC in which no attempt may start; after `since`.
    /// - Throws: ``FunnelDefinitionError/emptyTimeRange(since:until:)``.
    public func with(since: Int64?, until: Int64?) throws(FunnelDefinitionError) -> FunnelDefinition {
        var definition = self
        (definition.since, definition.until) = (since, until)
        try definition.check()
        return definition
    }
}
