/// A way to write results down. A new format is one folder beside its siblings and one entry in ``ReportFormats/all(_:)``.
///
/// What a conforming type must keep: equal results give equal bytes; every text from data is made harmless for the place
/// where the format is read; the output ends with a line feed.
///
/// A format for people or spreadsheets works on ``Reportable/section`` alone and then shows every result there is, those of
/// tomorrow too.
public protocol ReportFormat: Sendable {
    /// What follows `--format`: `table`.
    var name: String { get }
    /// Endings of file names that mean this format, without the dot.
    var fileExtensions: [String] { get }

    /// One result or several.
    func text(of document: ReportDocument) -> String
}

extension ReportFormat {
    /// One result by itself.
    public func text(of result: some Reportable) -> String { text(of: ReportDocument(result)) }
}

/// The formats that exist.
public enum ReportFormats {
    /// - Parameter style: for formats that people read in a terminal.
    public static func all(_ style: TextStyle = TextStyle()) -> [any ReportFormat] {
        [TableReport(style), JSONReport(), CSVReport(), MarkdownReport(zone: style.zone), HTMLReport(zone: style.zone)]
    }
}
