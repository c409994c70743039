/// Compares payloads whose type need not be `Equatable`.
enum Sameness {
    /// Whether two values are equal; `nil` if values of this type cannot be compared.
    static func of<Value>(_ a: Value, _ b: Value) -> Bool? {
        // The static type first: `nil` as an `Any` has lost its type.
        if let type = Value.self as? any Equatable.Type { return compare(as: type, a, b) }
        let (left, right): (Any, Any) = (a, b)
        if left is Void { return right is Void }
        guard let left = left as? any Equatable else { return nil }
        return isSame(left, right)
    }

    /// Whether two errors are equal. Errors that cannot be compared are equal if type and description are; objects, if they are one.
    static func of(_ a: any Error, _ b: any Error) -> Bool {
        guard type(of: a) == type(of: b) else { return false }
        if let left = a as? any Equatable { return isSame(left, b) }
        if type(of: a) is AnyClass { return (a as AnyObject) === (b as AnyObject) }
        return String(reflecting: a) == String(reflecting: b)
    }

    private static func compare<Common: Equatable>(as type: Common.Type, _ a: Any, _ b: Any) -> Bool? {
        guard let a = a as? Common, let b = b as? Common else { return nil }
        return a == b
    }

    private static func isSame<Left: Equatable>(_ left: Left, _ right: Any) -> Bool {
        guard let right = right as? Left else { return false }
        return left == right
    }
}

/// Marks a payload that cannot be compared, so that its copies are equal to it.
final class Stamp: Sendable {
    private init() {}

    /// `nil` for a payload that can be compared.
    static func ifNeeded<Value>(for value: Value) -> Stamp? { Sameness.of(value, value) == nil ? Stamp() : nil }

    static func areEqual<Value>(_ a: Value, _ stampA: Stamp?, _ b: Value, _ stampB: Stamp?) -> Bool {
        Sameness.of(a, b) ?? (stampA != nil && stampA === stampB)
    }
}
