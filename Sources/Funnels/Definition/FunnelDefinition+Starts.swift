extension FunnelDefinition {
    /// Which starts count.
    public enum Starts: Sendable, Hashable {
        /// All of them, those included whose window was still open when the data ended: their share may yet rise.
        case all
        /// Only mature ones, which had all the time that the funnel gives.
        case mature
    }

    /// How long before the data's end a start has to lie to be mature, in milliseconds: the window, or what the steps' own windows add up to
    /// if that is less. Of a funnel of one step every start is mature.
    package var millisecondsToMature: Int64 {
        guard steps.count > 1 else { return 0 }
        guard let stepWindowMilliseconds else { return windowMilliseconds }
        let (sum, overflow) = stepWindowMilliseconds.multipliedReportingOverflow(by: Int64(steps.count - 1))
        return overflow ? windowMilliseconds : min(windowMilliseconds, sum)
    }

    /// The first millisecond in which a start is no longer mature; `nil` where every start is.
    package func matureUntil(dataEnd: Int64) -> Int64? {
        guard steps.count > 1 else { return nil }
        let (last, overflow) = dataEnd.subtractingReportingOverflow(millisecondsToMature)
        return overflow ? .min : last == .max ? nil : last + 1
    }

    /// This funnel with other starts.
    package func counting(_ starts: Starts) -> FunnelDefinition {
        var definition = self
        definition.starts = starts
        return definition
    }
}
