/// Paths into `props` as flags write them: `props.plan`, `props.cart."item count"`.
public enum PropertyPath {
    /// The keys, outermost first.
    ///
    /// - Parameter subject: what the path is for, in the error.
    /// - Throws: ``GrammarError`` with the column of the first thing that does not fit.
    public static func parse(_ text: String, subject: String) throws(GrammarError) -> [String] {
        try parse(text, whole: text, subject: subject)
    }

    /// - Parameter whole: what `text` is the beginning of, for the error.
    static func parse(_ text: String, whole: String, subject: String) throws(GrammarError) -> [String] {
        let prefix = "props."
        guard text.hasPrefix(prefix) else {
            throw GrammarError(
                subject: subject, text: whole, column: 1, found: text.isEmpty ? "the end" : "`\(text)`", expected: "`props.<path>`")
        }
        do {
            var grammar = StepGrammar(String(text.dropFirst(prefix.count)), subject: subject)
            return try grammar.wholePath()
        } catch {
            throw GrammarError(
                subject: subject, text: whole, column: error.column + prefix.count, found: error.found, expected: error.expected)
        }
    }

    /// The path as ``parse(_:subject:)`` reads it.
    public static func text(_ path: [String]) -> String { text(path, quoting: nil) }

    /// - Parameter mark: a character that must not stand outside quotes.
    static func text(_ path: [String], quoting mark: Unicode.Scalar?) -> String {
        "props."
            + path.map { segment in
                guard let mark, segment.unicodeScalars.contains(mark) else { return GrammarText.path([segment]) }
                return GrammarText.quoted(segment)
            }.joined(separator: ".")
    }
}
