/// Paths into `props` as flags write them: `props.plan`, `props.cart."item count"`.
public enum PropertyPath {
    /// The keys of a path, outermost first.
    ///
    /// - Parameter subject: what the path is for, in the error.
    /// - Throws: ``GrammarError`` with the column of the first thing that does not fit.
    public static func parse(_ text: String, subject: String) throws(GrammarError) -> [String] {
        var grammar = StepGrammar(text, subject: subject)
        guard grammar.cursor.stands(PropertySource.event.prefix) else {
            throw grammar.cursor.failure(expected: "`props.<path>`", found: text.isEmpty ? "the end" : "`\(text)`")
        }
        return try grammar.property().path
    }

    /// The path after the prefix of its source. ``parse(_:subject:)`` reads it if the source is the event.
    public static func text(_ path: [String], in source: PropertySource = .event) -> String { source.prefix + GrammarText.path(path) }
}
