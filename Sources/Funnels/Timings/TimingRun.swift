/// Asks how long loops took to handle their events, from the `timing` lines of event files.
public struct TimingRun: EventQuestion {
    /// Lines written at other times are left out. A line covers the time since the line before it.
    public let range: TimeRange
    /// The lines of other loops are left out; `nil` takes all.
    public let system: String?
    /// Whose lines count. A timing line has neither user nor session, only a system.
    public let cohort: CohortFilter
    /// How many events are listed, those with the largest total time first; `nil` for all. A name in two systems counts as two events.
    public let top: Int?

    /// - Parameters:
    ///   - range: the times at which the lines were written.
    ///   - system: the name of the only loop that is wanted, compared byte for byte.
    ///   - top: how many events are listed; 0 or more.
    ///   - cohort: whose lines count: lists of systems, because timing lines have neither user nor session.
    public init(range: TimeRange = .all, system: String? = nil, top: Int? = nil, cohort: CohortFilter = .everyone) {
        self.cohort = cohort
        self.range = range
        self.system = system
        self.top = top.map { max($0, 0) }
    }

    public var pass: EventPass<TimingCatalogue> { EventPass(nil, into: { TimingBatch(self, expecting: $0) }) { TimingAccumulator(self) } }
}
