/// One condition on a property of an event: `price>=10`.
///
/// If both sides are written as JSON numbers, they compare as numbers; a JSON text such as `"10"` counts as a number, too. Else both
/// sides compare as text, byte by byte in UTF-8, also `true` and `false`. A missing value, `null`, an object and an array fit
/// only ``FilterOperator/notEqual``.
public struct PropertyTest: Sendable, Hashable, CustomStringConvertible {
    /// Where the property stands.
    public let source: PropertySource
    /// The keys that lead to the property from its source, outermost first. Never empty.
    public let path: [String]
    public let comparison: FilterOperator
    /// The right side as text, without quotes and escapes.
    public let value: String

    /// The test in the step grammar; parsing it gives an equal test.
    public var description: String { pathText + comparison.spelling + GrammarText.value(value) }
}

extension PropertyTest {
    /// - Parameter path: the keys that lead to the property from its source, outermost first; at least one.
    public init(path: [String], in source: PropertySource = .event, comparison: FilterOperator, value: String) {
        precondition(!path.isEmpty, "a property test needs a path")
        self.init(source: source, path: path, comparison: comparison, value: value)
    }

    /// The path in the step grammar.
    var pathText: String {
        switch source {
        case .session: PropertySource.session.prefix + GrammarText.path(path)
        case .event:
            // A bare `session` would mean the session's property, and a bare `props` is an error.
            path.count > 1 && ["session", "props"].contains(path[0])
                ? GrammarText.quoted(path[0]) + "." + GrammarText.path(Array(path.dropFirst())) : GrammarText.path(path)
        }
    }
}
