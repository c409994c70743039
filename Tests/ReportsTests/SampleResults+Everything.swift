import TrackingEvents

@testable import EventFiles
@testable import Funnels
@testable import Reports

extension SampleResults {
    /// A result of every kind that there is, with the name wherever it takes text.
    static func everything(named name: String) throws -> [any Reportable] {
        let more: [any Reportable] = [
            timings(named: name), PathsReportTests.paths(name: name), PropertyReportTests.catalogue(name: name, path: [name], text: name),
            try TrendReportTests.report([(0, 4, 2), (1, 3, 3)], name: name), try MembersReportTests.members(key: name, group: name),
            try ComparisonReportTests.comparison(name: name), try groups([name, name + name]), repair(of: name), try retention(name: name),
        ]
        return try results(named: name) + more + PlanReportsTests.results(named: name)
    }

    /// Two cohorts, the second of which is not over, in two groups.
    static func retention(name: String) throws -> RetentionReport {
        let step = FunnelStep(name).pattern
        let definition = try RetentionDefinition(
            start: step, returning: step, periods: 2, key: .property([name]), breakdown: FunnelBreakdown(path: [name]))
        let cohorts = [
            Retention.Cohort(startMilliseconds: 0, size: 4, retained: [2, 1, 0]),
            Retention.Cohort(startMilliseconds: 86_400_000, size: 2, retained: [2, 1, nil]),
        ]
        return RetentionReport(
            Retention(
                definition: definition, endMilliseconds: 259_199_999, cohorts: cohorts,
                groups: [.init(value: name, cohorts: cohorts), .init(value: FunnelBreakdown.none, cohorts: cohorts)],
                input: InputQuality(), unseenNames: []), every: .day, in: .utc)
    }

    /// A repair of one file at a path, kept under another.
    static func repair(of path: String) -> RepairReport {
        var file = RepairReport.File(FileReport(path: path))
        (file.output, file.original, file.savedLines) = (path, path + ".damaged", 7)
        var report = RepairReport()
        report.files = [file]
        report.check = CheckReport()
        return report
    }
}
