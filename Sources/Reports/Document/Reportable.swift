/// A result that every format can show.
///
/// A new kind of result is one conformance: its ``section`` serves CSV, Markdown and HTML, and the other two are its own,
/// because a terminal's layout and a document's fixed keys follow from nothing else.
public protocol Reportable: Sendable {
    /// The result laid out for reading, without a format.
    var section: ReportSection { get }
    /// The result for a terminal; ends with a line feed.
    func text(in table: TableReport) -> String
    /// The result as one JSON object; ends with a line feed.
    func text(in json: JSONReport) -> String
}
