extension FunnelDefinition {
    /// What is wrong with one setting by itself.
    func checkEach() throws(FunnelDefinitionError) {
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
    }

    /// What is right by itself and means nothing together.
    func checkTogether() throws(FunnelDefinitionError) {
        if compat != nil {
            if order != .ordered { throw .compat("--order \(order.rawValue)") }
            if !exclusions.isEmpty { throw .compat("--exclude") }
            if steps.contains(where: \.isOptional) { throw .compat("optional steps") }
            if hold != nil { throw .compat("--hold") }
            if counting == .attempts { throw .compat("--count attempts") }
            if stepWindowMilliseconds != nil { throw .compat("--step-window") }
        }
        if order == .any {
            if steps.contains(where: \.isOptional) { throw .anyOrder("optional steps: any of its steps may be missing") }
            if stepWindowMilliseconds != nil { throw .anyOrder("--step-window: its steps have no neighbours") }
            if counting == .attempts { throw .anyOrder("--count attempts: no step opens one") }
            if exclusions.contains(where: { $0.steps != nil }) {
                throw .anyOrder("an exclusion between two steps: leave the `@` away, and it holds between the first and the last")
            }
        }
        if order == .strict && counting == .attempts { throw .strictAttempts }
    }
}
