/// One condition on a property of an event: `price>=10`.
///
/// Both sides are numbers if both are written as JSON numbers (a JSON text such as `"10"` too), and then compare as numbers;
/// otherwise as text, by UTF-8 bytes. `true` and `false` compare as that text. A path that is missing or `null`, an object
/// and an array match nothing but ``Comparison/notEqual``.
public struct PropertyTest: Sendable, Hashable {
    /// How the property's value relates to the test's.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case contains = "~"
    }

    /// Keys into `props`, outermost first. Never empty.
    public let path: [String]
    public let comparison: Comparison
    /// The right side as text, quotes and escapes taken away.
    public let value: String

    /// - Parameter path: keys into `props`, outermost first; at least one.
    public init(path: [String], comparison: Comparison, value: String) {
        precondition(!path.isEmpty, "a property test needs a path")
        self.path = path
        self.comparison = comparison
        self.value = value
    }
}

extension PropertyTest: CustomStringConvertible {
    /// The test in the step grammar; parsing it gives an equal test.
    public var description: String {
        GrammarText.path(path) + comparison.rawValue + GrammarText.value(value)
    }
}
