/// A location in a text that is being parsed, scalar by scalar.
struct GrammarCursor {
    let subject: String
    let text: String
    let scalars: [Unicode.Scalar]
    private(set) var position = 0

    init(_ text: String, subject: String) {
        self.subject = subject
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    var rest: String { slice(position..<scalars.count) }

    func stands(_ text: String) -> Bool { scalars[position...].starts(with: text.unicodeScalars) }

    mutating func skip(_ text: String) { position += text.unicodeScalars.count }

    mutating func advance() { position += 1 }

    /// Steps over space, then over `scalar` if it stands there, and returns whether it did.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        skipSpace()
        guard current == scalar else { return false }
        position += 1
        return true
    }

    /// Steps over the digits that stand here and returns their number, at most `UInt64.max`; `nil` where there are none.
    mutating func takeNumber() -> UInt64? {
        var number: UInt64?
        while let scalar = current, ("0"..."9").contains(scalar) {
            let (tens, isLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = tens.addingReportingOverflow(UInt64(scalar.value - 48))
            number = isLarge || isLarger ? .max : sum
            position += 1
        }
        return number
    }

    /// Steps over blanks, tabs and line ends.
    mutating func skipSpace() { while let scalar = current, Self.isSpace(scalar) { position += 1 } }

    func slice(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high && Self.isSpace(scalars[low]) { low += 1 }
        while low < high && Self.isSpace(scalars[high - 1]) { high -= 1 }
        return low..<high
    }

    /// An error at the cursor, or at an earlier location.
    func failure(expected: String, found: String? = nil, at index: Int? = nil) -> GrammarError {
        let index = index ?? position
        return GrammarError(
            subject: subject, text: text, column: slice(0..<index).count + 1, found: found ?? whatStands(at: index), expected: expected)
    }

    private func whatStands(at index: Int) -> String {
        guard index < scalars.count else { return "the end" }
        let scalar = scalars[index]
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse,
            .spaceSeparator where scalar != " ":
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "the character U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        default: return "`\(scalar)`"
        }
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" }
}
