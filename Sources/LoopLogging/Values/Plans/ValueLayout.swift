import LoopCore

/// How values of one type are compared and written. What reflection says of the type is asked once, when the plan is made.
///
/// A plan reads values where they lie: each pointer points at an initialised value of the plan's type.
class ValueLayout {
    /// Whether values of this type are looked at through `Mirror`, each time.
    var isReflected: Bool { true }

    /// Whether a value's text begins with the name that the value has as an event.
    var beginsWithName: Bool { false }

    /// How many bytes of a value imply equality where they are equal; 0 if equal bytes do not.
    var comparableBytes: Int { 0 }

    /// The value in a box.
    func any(_ value: UnsafeRawPointer) -> Any { fatalError("A plan belongs to a type.") }

    /// Writes a value.
    func write(_ value: UnsafeRawPointer, to writer: inout ValueWriter, depth: Int) { writer.reflect(any(value), depth: depth) }

    /// Whether two values are equal; `nil` where their type has no equality.
    func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool? { nil }

    /// Compares two values that are not known to be equal. Never called for a reflected type.
    func compareParts(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, in diff: inout StateDiff) { diff.compareTexts(any(old), any(new)) }
}

/// A plan that knows its type. By itself it reflects.
class TypedLayout<Value>: ValueLayout {
    private let equality: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)?

    override init() {
        equality = Sameness.equality(of: Value.self).map { areEqual in
            { areEqual($0.assumingMemoryBound(to: Value.self).pointee, $1.assumingMemoryBound(to: Value.self).pointee) }
        }
    }

    final func typed(_ value: UnsafeRawPointer) -> Value { value.assumingMemoryBound(to: Value.self).pointee }

    override func any(_ value: UnsafeRawPointer) -> Any { typed(value) }

    override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool? { isReflected ? nil : equality?(a, b) }
}
