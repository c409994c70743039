/// One condition on a property of an event: `price>=10`.
///
/// Both sides are numbers if both are written as JSON numbers (a JSON text such as `"10"` too), and then compare as numbers;
/// otherwise as text, by UTF-8 bytes. `true` and `false` compare as that text. A path that is missing or `null`, an object
/// and an array match nothing but ``FilterOperator/notEqual``.
public struct PropertyTest: Sendable, Hashable, CustomStringConvertible {
    /// Where the path leads from.
    public let source: PropertySource
    /// Keys into what stands there, outermost first. Never empty.
    public let path: [String]
    public let comparison: FilterOperator
    /// The right side as text, quotes and escapes taken away.
    public let value: String

    /// The test in the step grammar; parsing it gives an equal test.
    public var description: String { pathText + comparison.spelling + GrammarText.value(value) }
}

extension PropertyTest {
    /// - Parameter path: keys into what stands in the source, outermost first; at least one.
    public init(path: [String], in source: PropertySource = .event, comparison: FilterOperator, value: String) {
        precondition(!path.isEmpty, "a property test needs a path")
        self.init(source: source, path: path, comparison: comparison, value: value)
    }

    /// The path in the step grammar.
    var pathText: String {
        switch source {
        case .session: PropertySource.session.prefix + GrammarText.path(path)
        case .event:
            // Bare, it would be the session's, or no path of a test.
            path.count > 1 && ["session", "props"].contains(path[0])
                ? GrammarText.quoted(path[0]) + "." + GrammarText.path(Array(path.dropFirst())) : GrammarText.path(path)
        }
    }
}
