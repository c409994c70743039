/// Why a file is no list of keys, and where that shows.
public struct CohortError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable {
        /// Nothing but white space.
        case empty
        case invalidUTF8
        /// Bytes that no text has: a zero byte, or the beginning of a gzip file.
        case binary
        /// Lines of events, from which a list of keys can be made.
        case events
        /// JSON without the `members` of `looptrail users`, or with a `definition.by` that is no key.
        case noMembers
        /// Not JSON, though it begins like that; says what was expected.
        case malformed(expected: String)
        /// A quote that is opened and never closed.
        case openQuote
    }

    public let problem: Problem
    /// The place of the problem; line and column count from 1.
    public let line: Int
    public let column: Int

    /// One line: `3:14: …`.
    public var description: String { "\(line):\(column): \(problem)" }
}

extension CohortError.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the file is empty: expected a key a line, or what `looptrail users -o FILE` writes"
        case .invalidUTF8: "this is not UTF-8: a list of keys is text"
        case .binary: "these bytes are no text: a list of keys has a key a line"
        case .events: "these are events, not keys: `looptrail users … -o FILE.json` makes a list of keys from them"
        case .noMembers: "this JSON has no `members`: expected what `looptrail users … -o FILE.json` writes"
        case .malformed(let expected): "this is not JSON: expected \(expected)"
        case .openQuote: "this quote is never closed"
        }
    }
}
