public import EventFiles
public import TrackingPlans

/// Holds the events of files against a tracking plan.
public struct PlanCheckRun: Sendable {
    public let plan: TrackingPlan
    /// Events at other times are left out.
    public let range: TimeRange
    /// Events and sessions of others are left out.
    public let cohort: CohortFilter

    public init(_ plan: TrackingPlan, range: TimeRange = .all, cohort: CohortFilter = .everyone) {
        self.plan = plan
        self.range = range
        self.cohort = cohort
    }

    /// Reads everything once. Events are held against the plan's events, and the lines at the heads of sessions against its session.
    ///
    /// Events with the same id count once. Memory: 16 to 37 bytes for each id, and for each session with an unplanned event some tens.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Returns: how events differ, and what was read, file by file.
    /// - Throws: `EventFileReadError` where a file cannot be read at all. Damage inside a file is counted and does not throw.
    public func report(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (report: PlanCheckResult, reading: ReadResult) {
        let (checker, table, range) = (PlanChecker(plan), PlanTable(plan), range)
        let test = CohortTest(cohort, countedBy: nil)
        var accumulator = PlanCheckAccumulator(files: reader.files.map(\.path))
        let report = try reader.readLines(threads: threads, progress: progress) { lines in
            PlanBatch(checker, table, range, test, file: lines.fileIndex, firstLine: lines.firstLineNumber, expecting: lines.lineCount)
        } consume: {
            accumulator.take($0)
        }
        var result = accumulator.report(of: plan, range, report)
        result.cohort = cohort
        return (result, report)
    }
}
