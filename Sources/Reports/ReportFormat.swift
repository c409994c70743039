/// A way to write results down, as text or as bytes of any kind.
///
/// A new format is one new type and one entry in ``ReportFormats/all(_:)``: the command's `--format`, file endings and help follow
/// from that. The type builds on ``Reportable/section``, so it shows every kind of result, also kinds that are added later.
///
/// What a conforming type must keep:
/// - Equal documents give equal bytes.
/// - Text from data is harmless to whatever reads the format.
/// - A text format ends its output with a line feed.
public protocol ReportFormat: Sendable {
    /// What follows `--format`, such as `table`.
    var name: String { get }
    /// Endings of file names that mean this format, without the dot.
    var fileExtensions: [String] { get }

    /// The whole output, of one result or of several under a title.
    func bytes(of document: ReportDocument) -> [UInt8]
}

extension ReportFormat {
    /// The whole output of a text format.
    public func text(of document: ReportDocument) -> String { String(decoding: bytes(of: document), as: UTF8.self) }

    /// The whole output of a text format for one result by itself.
    public func text(of result: some Reportable) -> String { text(of: ReportDocument(result)) }
}

/// The formats that exist.
public enum ReportFormats {
    /// - Parameter style: how a table looks in a terminal. Markdown and HTML take the time zone from it.
    public static func all(_ style: TextStyle = TextStyle()) -> [any ReportFormat] {
        [
            TableReport(style), JSONReport(), JSONLinesReport(), CSVReport(), MarkdownReport(zone: style.zone),
            HTMLReport(zone: style.zone), PrometheusReport(),
        ]
    }
}
