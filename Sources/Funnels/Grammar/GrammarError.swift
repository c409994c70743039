/// A text that does not follow its grammar, such as that of steps, keys or durations: where, what stands there, and what was expected.
///
/// ```
/// steps, column 6: found the end, expected a step: a name, `*` or `(`
/// ```
/// What is quoted from the text may hold anything the user typed; escape it before it is printed to a terminal.
public struct GrammarError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was being read: `steps`, `window`, `by`.
    public let subject: String
    /// The whole text as it was given.
    public let text: String
    /// Where the error begins: 1 for the first character, and the number of characters plus 1 for the end of the text.
    public let column: Int
    /// What stands there: a piece of the text in back quotes, or a description such as `the end`.
    public let found: String
    /// What could stand there instead.
    public let expected: String

    /// One line: `steps, column 3: found …, expected …`.
    public var description: String { "\(subject), column \(column): found \(found), expected \(expected)" }
}
