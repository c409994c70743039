extension FunnelDefinition {
    /// Rejects settings that are wrong by themselves, then those that contradict each other.
    func check() throws(FunnelDefinitionError) {
        guard (1...StepGrammar.mostSteps).contains(steps.count) else { throw .stepCount(steps.count) }
        if steps[0].isOptional { throw .firstStepOptional }
        guard windowMilliseconds >= 0 else { throw .negativeWindow(windowMilliseconds) }
        if let stepWindowMilliseconds, stepWindowMilliseconds < 0 { throw .negativeWindow(stepWindowMilliseconds) }
        if let since, let until, since >= until { throw .emptyTimeRange(since: since, until: until) }
        guard exclusions.count <= FunnelExclusion.most else { throw .exclusionCount(exclusions.count) }
        for exclusion in exclusions {
            if let last = exclusion.steps?.upperBound, last > steps.count {
                throw .exclusionBeyondSteps("\(exclusion)", steps: steps.count)
            }
        }
        if case .step(let step)? = breakdown?.attribution, step > steps.count {
            throw .breakdownBeyondSteps(step: step, steps: steps.count)
        }
        if compat != nil {
            if !order.isCountedElsewhere { throw .compat(.order(order)) }
            if !exclusions.isEmpty { throw .compat(.exclusions) }
            if steps.contains(where: \.isOptional) { throw .compat(.optionalSteps) }
            if hold != nil { throw .compat(.hold) }
            if counting == .attempts { throw .compat(.attempts) }
            if stepWindowMilliseconds != nil { throw .compat(.stepWindow) }
        }
        if counting == .visits, let part = obstacleToVisits { throw .visits(part) }
        if let (part, reason) = order.objection(to: self) { throw .order(order, part, reason) }
    }

    /// What rules out that visits are counted; `nil` if they can be.
    package var obstacleToVisits: Part? {
        if compat != nil { return .compat }
        if !order.numbersSteps { return .order(order) }
        if hold != nil { return .hold }
        switch key {
        case .user, .session: return nil
        case .system, .property, .context: return .key
        }
    }

    /// This funnel with another time range for its starts.
    ///
    /// - Parameters:
    ///   - since: the first millisecond since 1970 UTC in which an attempt may start.
    ///   - until: the first in which none may start any more; after `since`.
    /// - Throws: ``FunnelDefinitionError/emptyTimeRange(since:until:)``.
    public func with(since: Int64?, until: Int64?) throws(FunnelDefinitionError) -> FunnelDefinition {
        var definition = self
        (definition.since, definition.until) = (since, until)
        try definition.check()
        return definition
    }
}
