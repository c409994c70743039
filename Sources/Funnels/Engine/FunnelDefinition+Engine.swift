extension FunnelDefinition {
    /// The fastest engine that can follow a key's events by this definition.
    func engine() -> any ChainEngine {
        if let modes = compat?.modes {
            return modes.contains(.once) ? WindowFunnelOnceChains(self, modes) : WindowFunnelChains(self, modes)
        }
        if counting == .attempts { return AttemptChains(self) }
        if order == .any { return AnyOrderChains(self) }
        let isPlain = exclusions.isEmpty && limitingStepWindow == nil && !steps.contains(where: \.isOptional) && order != .strict
        return isPlain ? OrderedChains(self) : GeneralChains(self)
    }

    /// The step window in milliseconds; `nil` if it is not shorter than the window from step 1, because then it cannot change anything.
    var limitingStepWindow: Int64? { stepWindowMilliseconds.flatMap { $0 < windowMilliseconds ? $0 : nil } }
}
