import Basics

/// Text made fit for Markdown (CommonMark with the tables of GitHub): nothing in it is markup, a link, a mention or a column.
enum MarkdownText {
    /// Text from data, as code: there neither `@name` nor `#1` nor an address means anything.
    static func code(_ text: String) -> String {
        let visible = TerminalText.visible(text)
        if visible.isEmpty { return "<code></code>" }
        let isolated = BidiText.isolated(visible)
        // A code span loses one blank at each end, and some programs take a pipe in it for the end of a table's cell.
        let isPlain =
            visible.first != " " && visible.last != " " && !visible.unicodeScalars.contains(where: "`|<&\\@$".unicodeScalars.contains)
        return isPlain ? "`\(isolated)`" : "<code>\(escaped(isolated))</code>"
    }

    /// Text that is not Looptrail's own, where code would look odd, such as in a heading.
    static func plain(_ text: String) -> String { escaped(BidiText.isolated(TerminalText.visible(text))) }

    /// Looptrail's own words, with texts from data among them. A word that could be markup, a link or a mention is written as references.
    static func words(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { isPlain($0) ? String($0) : escaped(String($0)) }
            .joined(separator: " ")
    }

    /// A `<` before a digit begins no tag, and a `_` between letters or digits no emphasis.
    private static func isPlain(_ word: Substring) -> Bool {
        if word.unicodeScalars.contains(where: "`|>&\\@$*[]~#".unicodeScalars.contains) { return false }
        if word.contains("//") || word.contains("www.") { return false }
        let parts = word.split(separator: "_", omittingEmptySubsequences: false)
        let inner: [Character?] = parts.dropFirst().map(\.first) + parts.dropLast().map(\.last)
        return inner.allSatisfy { $0.map { $0.isLetter || $0.isNumber } ?? false }
            && word.split(separator: "<", omittingEmptySubsequences: false).dropFirst().allSatisfy { $0.first?.isNumber ?? false }
    }

    /// Every sign of ASCII that any Markdown gives a meaning, as a character reference.
    private static func escaped(_ text: String) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "<", ">", "&", "\"": HTML.escaped(String(scalar))
            case " ", "-", ",", "0"..."9", "A"..."Z", "a"..."z": nil
            default: scalar.isASCII ? "&#\(scalar.value);" : nil
            }
        }
    }
}
