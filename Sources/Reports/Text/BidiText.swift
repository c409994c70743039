/// Text from data that may run from right to left, kept from turning the text beside it.
enum BidiText {
    /// The text between an isolate and its end, where it holds a letter that runs from right to left; else as it is.
    ///
    /// - Parameter text: one whose own isolates ``TerminalText/visible(_:)`` has spelled out, so that none ends the isolate around it.
    static func isolated(_ text: String) -> String { needsIsolation(text) ? "\u{2068}\(text)\u{2069}" : text }

    /// Whether it is the start or the end of an isolate, neither of which joins the characters beside it.
    static func isIsolate(_ character: Character) -> Bool { character == "\u{2068}" || character == "\u{2069}" }

    /// A part of a text, with the starts and ends of isolates that were cut off it.
    static func closed(_ part: String) -> String {
        var (open, unbegun) = (0, 0)
        for scalar in part.unicodeScalars {
            if scalar == "\u{2068}" { open += 1 }
            guard scalar == "\u{2069}" else { continue }
            if open > 0 { open -= 1 } else { unbegun += 1 }
        }
        return String(repeating: "\u{2068}", count: unbegun) + part + String(repeating: "\u{2069}", count: open)
    }

    static func needsIsolation(_ text: String) -> Bool { text.unicodeScalars.contains(where: runsLeft) }

    /// Blocks of the scripts that are written from right to left (Unicode Standard Annex 9, classes R and AL).
    private static func runsLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
