/// Paths into `props` as flags write them: `props.plan`, `props.cart."item count"`.
public enum PropertyPath {
    /// The keys, outermost first.
    ///
    /// - Parameter subject: what the path is for, in the error.
    /// - Throws: ``GrammarError`` with the column of the first thing that does not fit.
    public static func parse(_ text: String, subject: String) throws(GrammarError) -> [String] {
        let prefix = PropertySource.event.prefix
        guard text.hasPrefix(prefix) else {
            throw GrammarError(
                subject: subject, text: text, column: 1, found: text.isEmpty ? "the end" : "`\(text)`", expected: "`props.<path>`")
        }
        return try parse(text, behind: prefix, whole: text, subject: subject)
    }

    /// The source and the keys of `props.<path>` or `session.<path>`, and of a bare `<path>`, which is one of `props`, too.
    ///
    /// - Parameters:
    ///   - whole: what `text` is the beginning of, for the error.
    ///   - expected: what else may stand here, for the error.
    static func parseAnywhere(
        _ text: String, whole: String, subject: String, expected: String = "the name of a property or `session.<path>`"
    ) throws(GrammarError) -> (source: PropertySource, path: [String]) {
        for source in [PropertySource.event, .session] where text.hasPrefix(source.prefix) {
            return (source, try parse(text, behind: source.prefix, whole: whole, subject: subject))
        }
        if text.isEmpty { throw GrammarError(subject: subject, text: whole, column: 1, found: "the end", expected: expected) }
        return (.event, try parse(text, behind: "", whole: whole, subject: subject))
    }

    private static func parse(_ text: String, behind prefix: String, whole: String, subject: String) throws(GrammarError) -> [String] {
        do {
            var grammar = StepGrammar(String(text.dropFirst(prefix.count)), subject: subject)
            return try grammar.wholePath()
        } catch {
            throw GrammarError(
                subject: subject, text: whole, column: error.column + prefix.count, found: error.found, expected: error.expected)
        }
    }

    /// The path as ``parse(_:subject:)`` reads it.
    public static func text(_ path: [String], in source: PropertySource = .event) -> String { text(path, in: source, quoting: nil) }

    /// - Parameter mark: a character that must not stand outside quotes.
    static func text(_ path: [String], in source: PropertySource, quoting mark: Unicode.Scalar?) -> String {
        source.prefix
            + path.map { segment in
                guard let mark, segment.unicodeScalars.contains(mark) else { return GrammarText.path([segment]) }
                return GrammarText.quoted(segment)
            }.joined(separator: ".")
    }
}
