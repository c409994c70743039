/// What a funnel counts: whose events make one chain.
public enum FunnelKey: Sendable, Hashable {
    case user
    case session
    /// The loop that the event came from.
    case system
    /// A property's value: a text or a number as on the line, `true`, `false`. Keys into `props`, outermost first.
    case property([String])

    /// The key of `user`, `session`, `system` or `props.<path>`.
    ///
    /// - Throws: ``GrammarError`` with the column of what does not fit.
    public static func parse(_ text: String) throws(GrammarError) -> FunnelKey {
        switch text {
        case "user": return .user
        case "session": return .session
        case "system": return .system
        default: break
        }
        guard text.hasPrefix("props.") else {
            throw GrammarError(
                subject: "by", text: text, column: 1, found: text.isEmpty ? "the end" : "`\(text)`",
                expected: "`user`, `session`, `system` or `props.<path>`")
        }
        return .property(try PropertyPath.parse(text, subject: "by"))
    }
}

extension FunnelKey: CustomStringConvertible {
    /// The key as ``parse(_:)`` reads it.
    public var description: String {
        switch self {
        case .user: "user"
        case .session: "session"
        case .system: "system"
        case .property(let path): PropertyPath.text(path)
        }
    }
}
