/// Writes roff with the `man` macros. All texts are escaped here and nowhere else.
struct RoffWriter {
    private(set) var text = ""

    mutating func title(_ title: String, section: Int, source: String, manual: String) {
        // No date: equal versions give equal pages.
        macro("TH", [title.uppercased(), "\(section)", "", source, manual])
    }

    mutating func heading(_ title: String) { macro("SH", [title.uppercased()]) }

    mutating func subheading(_ title: String) { macro("SS", [title]) }

    /// A line of its own; `start` is roff already.
    mutating func plain(_ start: String, _ rest: String) { text += start + Self.escaped(rest) + "\n" }

    mutating func paragraphs(_ paragraphs: [String]) {
        for paragraph in paragraphs {
            macro("PP", [])
            text += Self.line(paragraph)
        }
    }

    /// A term in bold and what it means, set in.
    mutating func item(_ term: String, _ meaning: String) {
        macro("TP", [])
        text += "\\fB\(Self.escaped(term))\\fR\n"
        text += Self.line(meaning.hasSuffix(".") ? meaning : meaning + ".")
    }

    /// Lines as they are, set in.
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

    /// A line of text; a control character of roff at its beginning is none there.
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
