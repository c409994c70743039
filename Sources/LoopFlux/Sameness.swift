package import LoopCore

extension Sameness {
    /// Whether two payloads are equal; `nil` if values of this type cannot be compared.
    static func ofPayloads<Value>(_ a: Value, _ b: Value) -> Bool? {
        // The static type first: `nil` as an `Any` has lost its type.
        if let isEqual = equality(of: Value.self) { return isEqual(a, b) }
        let (left, right): (Any, Any) = (a, b)
        return left is Void ? right is Void : areEqual(left, right)
    }

    /// Whether two errors are equal. Errors that cannot be compared are equal if their types and descriptions are; objects, if identical.
    package static func ofErrors(_ a: any Error, _ b: any Error) -> Bool {
        guard type(of: a) == type(of: b) else { return false }
        if let isEqual = areEqual(a, b) { return isEqual }
        if type(of: a) is AnyClass { return (a as AnyObject) === (b as AnyObject) }
        return String(reflecting: a) == String(reflecting: b)
    }
}

/// Marks a payload that cannot be compared, so that its copies are equal to it.
package final class Stamp: Sendable {
    private init() {}

    /// `nil` for a payload that can be compared.
    package static func ifNeeded<Value>(for value: Value) -> Stamp? { Sameness.ofPayloads(value, value) == nil ? Stamp() : nil }

    package static func areEqual<Value>(_ a: Value, _ stampA: Stamp?, _ b: Value, _ stampB: Stamp?) -> Bool {
        Sameness.ofPayloads(a, b) ?? (stampA != nil && stampA === stampB)
    }
}
