import Basics

/// Text from data made fit for a terminal: it cannot move the cursor, change colours or turn the reading order. Its width is known.
public enum TerminalText {
    /// The text, in which every character that acts instead of showing is spelled out: `\n`, `\u{1B}`, `\u{202E}`.
    ///
    /// Those are the control characters (C0, DEL, C1), the format characters with the bidirectional overrides among them, and
    /// the line and paragraph separators. The two joiners stay: emoji and some scripts are written with them.
    public static func visible(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        return text.replacingScalars { scalar in
            switch scalar {
            case "\n": #"\n"#
            case "\r": #"\r"#
            case "\t": #"\t"#
            default: acts(scalar) ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : nil
            }
        }
    }

    /// Whether a character does something to a terminal instead of showing.
    static func acts(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) { return true }
        if scalar.value < 0xAD || scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
        return [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }

    static func widest(_ texts: [String]) -> Int { texts.map(width(of:)).max() ?? 0 }

    static func trimmed(_ line: String) -> String { line.utf8.last == 0x20 ? String(line.reversed().drop { $0 == " " }.reversed()) : line }

    /// How many columns a text takes: two for wide characters and emoji, none for marks that combine.
    public static func width(of text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return wide.contains { $0.contains(first.value) } ? 2 : 1
        }
    }

    /// Blocks whose characters are all or nearly all East Asian wide (Unicode Standard Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD,
    ]

    /// The text, cut with `…` if it is wider than `columns`. What ``BidiText`` isolated in it stays isolated.
    package static func cut(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
        if width(of: text) <= columns { return text }
        return BidiText.closed(String(fitting(text, columns - width(of: ellipsis)))) + ellipsis
    }

    /// The text, with `…` for its beginning if it is wider than `columns`. What ``BidiText`` isolated in it stays isolated.
    static func cutStart(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
        if width(of: text) <= columns { return text }
        return ellipsis + BidiText.closed(String(fitting(text.reversed(), columns - width(of: ellipsis)).reversed()))
    }

    private static func fitting(_ characters: some Sequence<Character>, _ columns: Int) -> [Character] {
        var used = 0
        return characters.prefix { character in
            used += width(of: character)
            return used <= columns
        }
    }

    static func padded(_ text: String, to columns: Int) -> String { text + blanks(beside: text, columns) }

    static func rightAligned(_ text: String, in columns: Int) -> String { blanks(beside: text, columns) + text }

    private static func blanks(beside text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - width(of: text)))
    }
}
