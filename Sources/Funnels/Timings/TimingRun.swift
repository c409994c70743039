public import EventFiles

/// Tells how long a loop took, from the `timing` lines of event files.
public struct TimingRun: Sendable {
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

    /// Reads everything once and adds the histograms up.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Returns: the catalogue, and what was read, file by file.
    /// - Throws: `EventFileReadError` where a file cannot be read at all. Damage inside a file is counted and does not throw.
    public func catalogue(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (catalogue: TimingCatalogue, reading: ReadResult) {
        var accumulator = TimingAccumulator(self)
        let report = try reader.read(threads: threads, progress: progress) {
            TimingBatch(self, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return (accumulator.catalogue(report), report)
    }
}
