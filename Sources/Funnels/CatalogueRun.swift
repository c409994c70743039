/// Asks which events there are in event files.
public struct CatalogueRun: EventQuestion {
    /// Events at other times are left out.
    public let range: TimeRange
    /// Whose events are listed.
    public let cohort: CohortFilter

    public init(range: TimeRange = .all, cohort: CohortFilter = .everyone) { (self.range, self.cohort) = (range, cohort) }

    public var pass: EventPass<EventCatalogue> {
        EventPass { reader, threads, progress in
            var accumulator = FunnelAccumulator(CompiledFunnel([], catalogue: self))
            let reading = try accumulator.takeAll(of: reader, threads: threads, progress: progress)
            return (accumulator.catalogue(reading), reading)
        }
    }
}
