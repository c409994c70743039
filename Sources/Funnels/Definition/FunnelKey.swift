/// What a funnel groups its events by: users, sessions, systems or the values of a property.
public enum FunnelKey: Sendable, Hashable, CustomStringConvertible {
    case user, session
    /// The `system` of the line: the state loop that the event came from.
    case system
    /// The value of the property with these keys into `props`, outermost first: a text, a number as on the line, `true` or `false`.
    case property([String])
    /// The value of the property with these keys into the `props` of the line that began the event's session, as for ``property(_:)``.
    case context([String])

    /// The key of `user`, `session`, `system`, `props.<path>` or `session.<path>`. Any other text, even `"user"` in quotes, is a property.
    ///
    /// - Throws: ``GrammarError`` with the column of what does not fit.
    public static func parse(_ text: String) throws(GrammarError) -> FunnelKey {
        var grammar = StepGrammar(text, subject: "by")
        let word = grammar.cursor.slice(grammar.cursor.trimmed(0..<grammar.cursor.scalars.count))
        if let known = [.user, .session, .system].first(where: { (key: FunnelKey) in key.description == word }) { return known }
        let property = try grammar.property(expected: "`user`, `session`, `system`, the name of a property or `session.<path>`")
        return property.source == .event ? .property(property.path) : .context(property.path)
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
