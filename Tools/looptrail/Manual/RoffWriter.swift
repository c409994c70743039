/// Writes roff with the `man` macros. It escapes all texts, so callers pass them as they are.
struct RoffWriter {
    private(set) var text = ""

    mutating func title(_ title: String, section: Int, source: String, manual: String) {
        // The page has no date, so that equal versions give equal pages.
        macro("TH", [title.uppercased(), "\(section)", "", source, manual])
    }

    mutating func heading(_ title: String) { macro("SH", [title.uppercased()]) }

    mutating func subheading(_ title: String) { macro("SS", [title]) }

    /// Writes a line. `start` is roff already, and `rest` is escaped.
    mutating func plain(_ start: String, _ rest: String) { text += start + Self.escaped(rest) + "\n" }

    mutating func paragraphs(_ paragraphs: [String]) {
        for paragraph in paragraphs {
            macro("PP", [])
            text += Self.line(paragraph)
        }
    }

    /// Writes a term in bold and, indented below it, its meaning.
    mutating func item(_ term: String, _ meaning: String) {
        macro("TP", [])
        text += "\\fB\(Self.escaped(term))\\fR\n"
        text += Self.line(meaning.hasSuffix(".") ? meaning : meaning + ".")
    }

    /// Writes lines indented, without filling them.
    mutating func code(_ lines: [String]) {
        macro("PP", [])
        macro("RS", ["4"])
        macro("nf", [])
        for line in lines { text += Self.line(line) }
        macro("fi", [])
        macro("RE", [])
    }

    private mutating func macro(_ name: String, _ arguments: [String]) {
        text += ".\(name)" + arguments.map { " \"\(Self.escaped($0))\"" }.joined() + "\n"
    }

    /// A line of text, escaped so that roff does not take a `.` at its beginning for a macro.
    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return (escaped.hasPrefix(".") ? "\\&" : "") + escaped + "\n"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "\"": escaped += "\\(dq"
            case "\n": escaped += " "
            default: escaped.append(character)
            }
        }
    }
}
