public import EventFiles
public import Funnels

/// A way to write results down. A new format is one folder beside its siblings and one entry in ``ReportFormats/all(_:)``.
///
/// What a conforming type must keep: equal results give equal bytes; every text from data is made harmless for the place
/// where the format is read; the output ends with a line feed.
public protocol ReportFormat: Sendable {
    /// What follows `--format`: `table`.
    var name: String { get }
    /// Endings of file names that mean this format, without the dot.
    var fileExtensions: [String] { get }

    /// A funnel's result.
    func text(of funnel: FunnelResult) -> String
    /// Which events there are.
    func text(of catalogue: EventCatalogue) -> String
    /// How sound files are and how complete.
    func text(of check: CheckReport) -> String
}

/// The formats that exist.
public enum ReportFormats {
    /// - Parameter style: for formats that people read.
    public static func all(_ style: TextStyle = TextStyle()) -> [any ReportFormat] {
        [TableReport(style), JSONReport()]
    }
}
