import Basics

/// Whether two values are the same, for types that need not be `Equatable`.
@usableFromInline
package enum Sameness {
    /// The comparison for a type. It compares the bytes of the values first: values that share their storage have the same bytes. If the
    /// bytes differ, it compares by `==`, where the type has it.
    ///
    /// The caller must keep the older value, so that its storage is not used again for another one.
    package static func comparison<Value>(of type: Value.Type) -> (Value, Value) -> Bool {
        if let isEqual = equality(of: type) { return { isIdentical($0, $1) || isEqual($0, $1) } }
        // Padding may differ between values that are the same.
        let meant = meantBytes(of: type)
        if meant.reduce(0, { $0 + $1.count }) == MemoryLayout<Value>.size { return isIdentical }
        return { a, b in
            withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { b in meant.allSatisfy { a[$0].elementsEqual(b[$0]) } } }
        }
    }

    /// The bytes of a value that stand for its fields. An enum counts as one field.
    private static func meantBytes(of type: any Any.Type, at offset: Int = 0) -> [Range<Int>] {
        func size<Known>(_ type: Known.Type) -> Int { MemoryLayout<Known>.size }
        let fields = [.struct, .tuple].contains(TypeKind(of: type)) ? TypeField.all(of: type) : []
        // A type whose fields are built into the compiler is a number or the like. One of C may have bytes that reflection does not show.
        let isOfC = String(reflecting: type).hasPrefix("__C.")
        if fields.isEmpty || isOfC || fields.contains(where: { $0.kind == .opaque }) { return [offset..<offset + size(type)] }
        return fields.flatMap { meantBytes(of: $0.type, at: offset + $0.offset) }
    }

    /// The `==` of a type; `nil` if it has none.
    package static func equality<Value>(of type: Value.Type) -> ((Value, Value) -> Bool)? {
        func equality<Known: Equatable>(_ known: Known.Type) -> (Value, Value) -> Bool {
            // `Known` and `Value` are one type, which the compiler cannot know.
            { unsafeBitCast($0, to: Known.self) == unsafeBitCast($1, to: Known.self) }
        }
        return (Value.self as? any Equatable.Type).map { equality($0) }
    }

    /// Whether two values of types that are known only at run time are equal; `nil` if the first one's type has no `==`.
    package static func areEqual(_ a: Any, _ b: Any) -> Bool? {
        func compare<Known: Equatable>(_ a: Known) -> Bool { (b as? Known) == a }
        return (a as? any Equatable).map { compare($0) }
    }

    @inlinable
    package static func isIdentical<Value>(_ a: Value, _ b: Value) -> Bool {
        withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { b in a.elementsEqual(b) } }
    }
}
