import Basics
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
            forgetting(of: name), person(named: name),
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

    /// Somebody who was forgotten in one file, and could not be in another.
    static func forgetting(of name: String) -> ForgetReport {
        var report = ForgetReport(ids: PersonIDs([name], owners: ["a-\(name)": name]))
        report.files = [
            .init(path: name, lines: 3, outcome: .replaced(by: name)), .init(path: name, lines: 1, outcome: .refused(.open)),
        ]
        report.quarantined = [name]
        return report
    }

    /// One line of somebody, and one that is not JSON throughout.
    static func person(named name: String) -> PersonEvents {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("t_ms", 0)
            writer.member("name", name)
            writer.member("user", name)
        }
        let lines = [writer.text, writer.text.dropLast() + #","props":{"a":}}"#]
        return PersonEvents(
            ids: PersonIDs([name], owners: ["a-\(name)": name]),
            events: lines.map { line in
                .init(timeMilliseconds: 0, name: name, user: name, session: name, sequence: 1, line: Array(line.utf8))
            })
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
