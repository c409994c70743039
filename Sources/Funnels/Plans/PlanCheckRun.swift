import EventFiles
public import TrackingPlans

/// Compares files with a tracking plan: events with the plan's events, the lines at the heads of sessions with the plan's session.
///
/// Events with the same id count once. Memory: 16 to 37 bytes for each id, some tens of bytes for each session that says its `app_version`,
/// and as many for each session and way in which its lines differ from the plan.
public struct PlanCheckRun: EventQuestion {
    public let plan: TrackingPlan
    /// Events at other times are left out.
    public let range: TimeRange
    /// Events and sessions of others are left out.
    public let cohort: CohortFilter

    public init(_ plan: TrackingPlan, range: TimeRange = .all, cohort: CohortFilter = .everyone) {
        (self.plan, self.range, self.cohort) = (plan, range, cohort)
    }

    public var pass: EventPass<PlanCheckResult> {
        EventPass { reader, threads, progress in
            let (checker, table, range, test) = (PlanChecker(plan), PlanTable(plan), range, CohortTest(cohort, countedBy: nil))
            var accumulator = PlanCheckAccumulator(files: reader.files.map(\.path))
            let reading = try reader.readLines(threads: threads, progress: progress) { lines in
                PlanBatch(checker, table, range, test, file: lines.fileIndex, firstLine: lines.firstLineNumber, expecting: lines.lineCount)
            } consume: {
                accumulator.take($0)
            }
            return (accumulator.result(self, reading), reading)
        }
    }
}
