@testable import Reports

/// A result that is nothing but its section.
struct SampleSection: Reportable {
    let section: ReportSection

    init(_ section: ReportSection) { self.section = section }

    func lines(in table: TableReport) -> [String] { [section.title] }
    func text(in json: JSONReport) -> String { #"{"schema":1}"# + "\n" }
}
