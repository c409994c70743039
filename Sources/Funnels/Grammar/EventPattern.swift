/// Which events a step, an exclusion or a question is about: a condition on their names and properties.
public struct EventPattern: Sendable, Hashable, CustomStringConvertible {
    /// The names that fit.
    public enum Names: Sendable, Hashable {
        /// `*`: every event. Meta and timing lines are not events.
        case any
        /// One of these names. Never empty, no name twice. Names of events are compared byte for byte, those of two patterns as `String`.
        case oneOf([String])
    }

    public let names: Names
    /// All of them must hold.
    public let tests: [PropertyTest]

    public init(names: Names, tests: [PropertyTest] = []) {
        if case .oneOf(let list) = names {
            precondition(!list.isEmpty, "a pattern needs a name")
            // Strings that are canonically equivalent are equal; names are not.
            var known: Set<[UInt8]> = []
            self.names = .oneOf(list.filter { known.insert(Array($0.utf8)).inserted })
        } else {
            self.names = names
        }
        self.tests = tests
    }

    /// The name as reports show it: the name itself where there is one, `*`, or `(a | b)`.
    public var title: String {
        switch names {
        case .any: "*"
        case .oneOf(let list) where list.count == 1: list[0]
        case .oneOf(let list): "(" + list.map(GrammarText.name).joined(separator: " | ") + ")"
        }
    }

    /// The tests in the step grammar without their brackets, `price>=10,plan=pro`; `nil` where there are none.
    public var filter: String? { tests.isEmpty ? nil : tests.map(\.description).joined(separator: ",") }

    /// The pattern in the step grammar; parsing it gives an equal pattern.
    public var description: String {
        let head = if case .oneOf(let list) = names, list.count == 1 { GrammarText.name(list[0]) } else { title }
        return filter.map { "\(head)[\($0)]" } ?? head
    }
}
