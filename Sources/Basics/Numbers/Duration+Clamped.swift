extension Duration {
    /// Whole nanoseconds, cut toward zero. What does not fit becomes the nearest number that does.
    @usableFromInline package var clampedNanoseconds: Int64 { clamped(unitsPerSecond: 1_000_000_000) }

    /// Whole milliseconds, cut toward zero. What does not fit becomes the nearest number that does.
    @usableFromInline package var clampedMilliseconds: Int64 { clamped(unitsPerSecond: 1000) }

    /// For `Task.sleep` and clocks, which do not take every duration. A hundred years are as good as for ever.
    package var asSleep: Duration { min(self, .seconds(100 * 365 * 86_400)) }

    private func clamped(unitsPerSecond: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: unitsPerSecond)
        if overflow { return seconds < 0 ? .min : .max }
        return whole.addingClamped(attoseconds / (1_000_000_000_000_000_000 / unitsPerSecond))
    }
}
