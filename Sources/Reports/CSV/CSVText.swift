import Basics
import Funnels

/// Fields of comma-separated values (RFC 4180) that no spreadsheet takes for a formula.
enum CSVText {
    /// Text from data: what acts on a terminal is spelled out. An apostrophe goes before what a spreadsheet could compute, and before a
    /// text whose own apostrophe would look like that one.
    static func data(_ text: String) -> String {
        field((couldBeFormula(text) || Cohort.isMarked(text) ? "'" : "") + TerminalText.visible(text))
    }

    /// A field, quoted where its content needs it.
    static func field(_ text: String) -> String {
        let needsQuotes =
            text.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }
            || text.first == " " || text.last == " "
        return needsQuotes ? "\"" + text.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\"" : text
    }

    /// Whether a spreadsheet may compute the text: it begins with a sign of a formula or its full-width form, or with a tab, carriage
    /// return or line feed. White space and characters that do not show may stand in front (OWASP, CSV injection).
    static func couldBeFormula(_ text: String) -> Bool {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠": return true
            default: if !scalar.properties.isWhitespace && !TerminalText.acts(scalar) { return false }
            }
        }
        return false
    }
}
