extension FunnelDefinition {
    /// What follows a key's events by this definition; the fastest that can.
    func engine() -> any ChainEngine {
        if let modes = compat?.modes {
            return modes.contains(.once) ? WindowFunnelOnceChains(self, modes) : WindowFunnelChains(self, modes)
        }
        if counting == .attempts { return AttemptChains(self) }
        if order == .any { return AnyOrderChains(self) }
        let isPlain = exclusions.isEmpty && limitingStepWindow == nil && !steps.contains(where: \.isOptional) && order != .strict
        return isPlain ? OrderedChains(self) : GeneralChains(self)
    }

    /// The step window in milliseconds; `nil` where the window from step 1 ends no later: then it must change nothing.
    var limitingStepWindow: Int64? { stepWindowMilliseconds.flatMap { $0 < windowMilliseconds ? $0 : nil } }
}
