/// What a funnel counts: whose events make one chain.
public enum FunnelKey: Sendable, Hashable, CustomStringConvertible {
    case user
    case session
    /// The loop that the event came from.
    case system
    /// A property's value: a text or a number as on the line, `true`, `false`. Keys into `props`, outermost first.
    case property([String])
    /// The value of a property on the line that began the event's session, as ``property(_:)``.
    case context([String])

    /// The key of `user`, `session`, `system`, `props.<path>` or `session.<path>`. Other paths lead into `props`, as `"user"` in quotes.
    ///
    /// - Throws: ``GrammarError`` with the column of what does not fit.
    public static func parse(_ text: String) throws(GrammarError) -> FunnelKey {
        var grammar = StepGrammar(text, subject: "by")
        let word = grammar.cursor.slice(grammar.cursor.trimmed(0..<grammar.cursor.scalars.count))
        if let known = [.user, .session, .system].first(where: { (key: FunnelKey) in key.description == word }) { return known }
        let (source, path) = try grammar.property(expected: "`user`, `session`, `system`, the name of a property or `session.<path>`")
        return source == .event ? .property(path) : .context(path)
    }

    /// The key as ``parse(_:)`` reads it.
    public var description: String {
        switch self {
        case .user: "user"
        case .session: "session"
        case .system: "system"
        case .property(let path): PropertyPath.text(path)
        case .context(let path): PropertyPath.text(path, in: .session)
        }
    }
}
