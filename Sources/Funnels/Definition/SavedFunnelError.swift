/// Why a file of saved funnels cannot be used, and where that shows.
public struct SavedFunnelError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable {
        /// Not JSON, nested too deeply, or a value that is no funnel; says what was expected.
        case malformed(expected: String)
        case invalidUTF8
        /// An empty array.
        case noFunnel
        /// A key that no funnel has, and the nearest key that funnels have; `nil` if none is near.
        case unknownKey(String, nearest: String?)
        case repeatedKey(String)
        case stepsMissing
        /// A key's value cannot be used.
        case wrongValue(key: String, expected: String)
        /// A key's text does not follow its grammar.
        case grammar(key: String, GrammarError)
    }

    public let problem: Problem
    /// 1 for the first line, as ``column`` is 1 for the first character of a line.
    public let line: Int
    public let column: Int

    /// One line: `3:14: …`. What it quotes from the file may hold anything: escape it before it is printed to a terminal.
    public var description: String { "\(line):\(column): \(problem)" }
}

extension SavedFunnelError.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let expected): "this is not JSON with funnels: expected \(expected)"
        case .invalidUTF8: "this is not UTF-8"
        case .noFunnel: "the file holds no funnel: expected at least one"
        case .unknownKey(let key, let nearest):
            "a funnel has no `\(key)`"
                + (nearest.map { ": did you mean `\($0)`?" } ?? "; it has \(SavedFunnelReader.keys.joined(separator: ", "))")
        case .repeatedKey(let key): "`\(key)` stands twice: keep one"
        case .stepsMissing: "this funnel has no `steps`"
        case .wrongValue(let key, let expected): "`\(key)`: expected \(expected)"
        case .grammar(let key, let error): "`\(key)`: \(error)"
        }
    }
}
