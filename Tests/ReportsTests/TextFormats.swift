@testable import Reports

extension ReportFormats {
    /// The formats whose output is text; text keeps promises that bytes need not keep. A new binary format is to be left out here.
    static func texts(_ style: TextStyle = TextStyle()) -> [any ReportFormat] { all(style) }
}
