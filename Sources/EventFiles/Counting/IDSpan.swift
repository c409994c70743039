/// The smallest and the largest of some ids, by their first sixteen bytes. Usable from inlined code, because each line updates it.
@usableFromInline
package struct IDSpan: Sendable {
    @usableFromInline var smallest = UInt128.max
    @usableFromInline var largest = UInt128.min

    package init() {}

    var isEmpty: Bool { smallest > largest }

    /// Takes in an id by its ``beginning(of:)``; 0 stands for an unknown id, and widens the span to all ids.
    @inlinable @inline(__always)
    package mutating func note(_ beginning: UInt128) {
        smallest = min(smallest, beginning)
        largest = max(largest, beginning == 0 ? .max : beginning)
    }

    /// The first sixteen bytes of an id as a number, in the order of the ids. Different ids may have the same.
    @inlinable @inline(__always)
    package static func beginning(of id: UnsafeRawBufferPointer) -> UInt128 {
        if id.count >= 16 {
            let high = UInt64(bigEndian: id.loadUnaligned(as: UInt64.self))
            let low = UInt64(bigEndian: id.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            return UInt128(high) << 64 | UInt128(low)
        }
        return id.reduce(0) { $0 << 8 | UInt128($1) } << UInt128(8 * (16 - id.count))
    }
}
