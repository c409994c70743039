/// What is wrong with a tracking plan, and where.
public struct PlanError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A place in the file; both numbers count from 1, columns count characters.
    public struct Place: Sendable, Hashable {
        public let line: Int
        public let column: Int
    }

    public let place: Place

    /// What stands there, as the file spells it or in words.
    public let found: String
    /// What may stand there.
    public let expected: String

    /// The place of what this collides with, if the error is about two things.
    public internal(set) var other: Place?

    /// One sentence: `found …, expected …`. It names ``other`` if there is one, but not ``place``.
    public var message: String {
        let beside = other.map { "; the other stands at \($0.line):\($0.column)" } ?? ""
        return "found \(found), expected \(expected)\(beside)"
    }

    /// `3:14: found …, expected …`
    public var description: String { "\(place.line):\(place.column): \(message)" }

    /// As compilers print it, so that a build shows the error at the plan's line: `FILE:3:14: error: found …`.
    public func diagnostic(file: String) -> String { "\(file):\(place.line):\(place.column): error: \(message)" }
}
