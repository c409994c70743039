import Basics

/// Writes names, paths and values so that the grammar reads them back equal: bare where it can be, quoted where it must.
enum GrammarText {
    static func name(_ name: String) -> String { isBare(name, endsAt: StepGrammar.endsName) && name != "*" ? name : quoted(name) }

    /// - Parameter mark: a character that ends the path outside quotes.
    static func path(_ path: [String], before mark: Unicode.Scalar? = nil) -> String {
        path.map { key in isBare(key) { StepGrammar.endsSegment($0) || $0 == mark } ? key : quoted(key) }.joined(separator: ".")
    }

    static func value(_ value: String) -> String {
        // A value that begins with an operator would be read as a part of the test's operator.
        let beginsWithOperator = FilterOperator.allCases.contains { value.unicodeScalars.starts(with: $0.spelling.unicodeScalars) }
        return isBare(value, endsAt: StepGrammar.endsValue) && !beginsWithOperator ? value : quoted(value)
    }

    static func quoted(_ text: String) -> String { "\"" + text.replacingScalars { $0 == "\"" || $0 == "\\" ? "\\\($0)" : nil } + "\"" }

    private static func isBare(_ text: String, endsAt ends: (Unicode.Scalar) -> Bool) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
        if [first, last].contains(where: { GrammarCursor.isSpace($0) || StepGrammar.curlyQuotes.contains($0) }) { return false }
        return !text.unicodeScalars.contains { ends($0) || $0.properties.generalCategory == .control }
    }
}
