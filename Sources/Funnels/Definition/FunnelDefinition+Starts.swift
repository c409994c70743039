extension FunnelDefinition {
    /// Which starts count.
    public enum Starts: Sendable, Hashable {
        /// All of them, even if their window was still open when the data ended: the share that converts may yet rise.
        case all
        /// Only mature ones, which had all the time that the funnel gives.
        case mature
    }

    /// How long before the data's end a start has to lie to be mature, in milliseconds: the window, or the sum of all step windows if that
    /// is less. In a funnel of one step every start is mature.
    package var millisecondsToMature: Int64 {
        guard steps.count > 1 else { return 0 }
        guard let stepWindowMilliseconds else { return windowMilliseconds }
        let (sum, overflow) = stepWindowMilliseconds.multipliedReportingOverflow(by: Int64(steps.count - 1))
        return overflow ? windowMilliseconds : min(windowMilliseconds, sum)
    }

    /// When the data end, as this funnel sees it; `nil` without events.
    func end(of days: DayCounts) -> DataEnd? { dataEnd.map { DataEnd(milliseconds: $0) } ?? days.end(before: windowMilliseconds) }

    /// As ``FunnelResult/hiddenEnd``.
    func hiddenEnd(of days: DayCounts) -> DataEnd? {
        dataEnd == nil && steps.count > 1 ? days.end(before: 0).flatMap { $0 == end(of: days) ? nil : $0 } : nil
    }

    /// No start from this millisecond on is mature; by session, some earlier ones are not mature either. `nil` if every start is mature.
    package func matureUntil(dataEnd: Int64) -> Int64? {
        ended(before: dataEnd, after: key == .session ? min(millisecondsToMature, sessionTimeoutMilliseconds) : millisecondsToMature)
    }

    /// The first millisecond whose starts have a window that is still open when the data ends; `nil` if every window has ended.
    func windowEnded(before dataEnd: Int64) -> Int64? { ended(before: dataEnd, after: millisecondsToMature) }

    private func ended(before dataEnd: Int64, after milliseconds: Int64) -> Int64? {
        guard steps.count > 1 else { return nil }
        let (last, overflow) = dataEnd.subtractingReportingOverflow(milliseconds)
        return overflow ? .min : last == .max ? nil : last + 1
    }

    package func counting(_ starts: Starts) -> FunnelDefinition {
        var definition = self
        definition.starts = starts
        return definition
    }
}
