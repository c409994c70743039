import LoopCore

/// Compares and writes values of one type in place, by pointers to initialised values. Reflection is asked once, when it is made.
final class ValueLayout {
    typealias Write = (_ value: UnsafeRawPointer, _ writer: inout ValueWriter, _ depth: Int) -> Void
    typealias Compare = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ diff: inout StateDiff) -> Void

    /// The value in a box.
    let any: (UnsafeRawPointer) -> Any
    /// Whether two values are equal; `nil` where their type has no equality, or is reflected.
    private(set) var areEqual: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)?
    /// Whether values of this type are looked at through `Mirror`, each time.
    private(set) var isReflected = true
    /// Whether a value's text begins with the name that the value has as an event.
    private(set) var beginsWithName = false
    /// How many bytes of two values, if equal, show that the values are equal; 0 if equal bytes do not show that.
    private(set) var comparableBytes = 0
    private(set) var write: Write
    /// Compares two values that are not known to be equal. Never called for a reflected type.
    private(set) var compareParts: Compare = { _, _, _ in }

    /// A layout that reflects.
    init<Value>(of _: Value.Type) {
        any = { $0.assumingMemoryBound(to: Value.self).pointee }
        write = { $1.reflect($0.assumingMemoryBound(to: Value.self).pointee, depth: $2) }
    }

    /// Lets it read values in place.
    func readsInPlace<Value>(
        _: Value.Type, beginsWithName: Bool = false, comparableBytes: Int = 0, write: @escaping Write, compare: @escaping Compare
    ) {
        isReflected = false
        (self.beginsWithName, self.comparableBytes, self.write, compareParts) = (beginsWithName, comparableBytes, write, compare)
        areEqual = Sameness.equality(of: Value.self).map { areEqual in
            { areEqual($0.assumingMemoryBound(to: Value.self).pointee, $1.assumingMemoryBound(to: Value.self).pointee) }
        }
    }

    /// A layout for a type of the standard library. Its values are compared and written by functions that are compiled for just this type.
    /// Where `mayBeNaN`, unequal values may both be NaN, which is no change.
    @inline(__always)
    convenience init<Value: Equatable>(
        leaf type: Value.Type, mayBeNaN: Bool = false,
        _ write: @escaping (_ value: Value, _ writer: inout ValueWriter, _ isNested: Bool) -> Void
    ) {
        self.init(of: type)
        isReflected = false
        areEqual = { $0.assumingMemoryBound(to: Value.self).pointee == $1.assumingMemoryBound(to: Value.self).pointee }
        comparableBytes = mayBeNaN ? 0 : MemoryLayout<Value>.size
        self.write = { write($0.assumingMemoryBound(to: Value.self).pointee, &$1, $2 > 0) }
        if mayBeNaN || type == String.self {
            compareParts = { [any] in $2.compareTexts(any($0), any($1)) }
        } else {
            compareParts = { [unowned self] in $2.compareTexts($0, $1, self) }
        }
    }
}
