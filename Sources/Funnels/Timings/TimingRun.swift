/// How long a loop took, from the `timing` lines of event files.
public struct TimingRun: EventQuestion {
    /// Lines written at other times are left out. A line covers the time since the line before it.
    public let range: TimeRange
    /// The lines of other loops are left out; `nil` takes all.
    public let system: String?
    /// The lines of others are left out.
    public let cohort: CohortFilter
    /// How many event names are listed, those with the largest total time first; `nil` for all.
    public let top: Int?

    /// - Parameters:
    ///   - range: of the times at which lines were written.
    ///   - system: the name of the only loop that is wanted, compared byte for byte.
    ///   - top: how many event names are listed; 0 or more.
    ///   - cohort: whose lines count: a list of systems, as timing lines have neither user nor session.
    public init(range: TimeRange = .all, system: String? = nil, top: Int? = nil, cohort: CohortFilter = .everyone) {
        self.cohort = cohort
        self.range = range
        self.system = system
        self.top = top.map { max($0, 0) }
    }

    public var pass: EventPass<TimingCatalogue> { EventPass(nil, into: { TimingBatch(self, expecting: $0) }) { TimingAccumulator(self) } }
}
