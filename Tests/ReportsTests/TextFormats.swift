@testable import Reports

extension ReportFormats {
    /// The formats whose output is text, of which more is promised than of bytes. A new binary format is left out here.
    static func texts(_ style: TextStyle = TextStyle()) -> [any ReportFormat] { all(style) }
}
