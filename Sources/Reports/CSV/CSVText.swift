import Basics
import Funnels

/// Fields of comma-separated values (RFC 4180) that no spreadsheet takes for a formula.
enum CSVText {
    /// Text from data: what acts on a terminal is spelled out. An apostrophe goes before what a spreadsheet could run.
    /// A leading apostrophe of the text itself is escaped with another.
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

    /// Whether some spreadsheet would compute the text: the signs that begin a formula, their full-width forms, and the tab and
    /// carriage return that some strip first, also behind blanks or what does not show (OWASP, CSV injection).
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
