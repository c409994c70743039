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
            try ComparisonReportTests.comparison(name: name), try groups([name, name + name]), repair(of: name),
        ]
        return try results(named: name) + more
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
