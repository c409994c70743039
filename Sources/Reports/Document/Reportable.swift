/// A result that every format can show. Only Looptrail's modules can conform to it: nobody else can make a section.
///
/// A new kind of result is one conformance in one file of `Results/`. Its ``section`` serves CSV, Markdown, HTML and every format to
/// come. The layout on a terminal and the fixed keys of JSON do not follow from it, so these two are written beside it.
public protocol Reportable: Sendable {
    /// The result laid out for reading, without a format.
    var section: ReportSection { get }
    /// The result's lines on a terminal.
    func lines(in table: TableReport) -> [String]
    /// The result as one JSON object; ends with a line feed.
    func text(in json: JSONReport) -> String
    /// Numbers to watch from day to day; most results have none.
    var gauges: [ReportGauge] { get }
}

extension Reportable { public var gauges: [ReportGauge] { [] } }
