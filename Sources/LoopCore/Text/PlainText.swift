/// Text from outside made fit for one line of a terminal or a log: what would move the cursor or turn the reading direction is
/// shown and not done, and what is too long is cut.
///
/// A stream, so that a value of megabytes is not first made a text of megabytes.
package struct PlainText: TextOutputStream {
    /// What was written, with `…` at the end if it was cut.
    package private(set) var text = ""
    private var room: Int

    /// - Parameter limit: so many Unicode scalars are kept, counted before escaping. At most 0 keeps none.
    package init(limit: Int) { room = Swift.max(limit, 0) }

    /// Whether something was cut: what is written from now on is lost.
    package var isFull: Bool { room < 0 }

    package mutating func write(_ string: String) {
        for scalar in string.unicodeScalars {
            // Below zero: the mark for what is missing is there already.
            guard room > 0 else {
                if room == 0 { text += "…" }
                room = -1
                return
            }
            room -= 1
            switch scalar.value {
            case 0x20..<0x7F: text.unicodeScalars.append(scalar)
            case 0x0A: text += "\\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// A text in one piece.
    package static func of(_ string: String, limit: Int = .max) -> String {
        var plain = PlainText(limit: limit)
        plain.write(string)
        return plain.text
    }

    /// A value as `String(describing:)` would tell it, cut and escaped.
    package static func describing<Value>(_ value: Value, limit: Int = .max) -> String {
        var plain = PlainText(limit: limit)
        print(value, terminator: "", to: &plain)
        return plain.text
    }
}
