/// Which events there are in event files.
public struct CatalogueRun: EventQuestion {
    /// Events at other times are left out.
    public let range: TimeRange
    /// Events of others are left out.
    public let cohort: CohortFilter

    public init(range: TimeRange = .all, cohort: CohortFilter = .everyone) {
        self.range = range
        self.cohort = cohort
    }

    public var pass: EventPass<EventCatalogue> {
        let test = CohortTest(cohort, countedBy: nil)
        return EventPass(SummaryNeeds(cohort: cohort), into: { CatalogueBatch(cohort: test, expecting: $0) }) {
            CatalogueAccumulator(range, cohort: cohort)
        }
    }
}
