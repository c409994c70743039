/// The numbers of the bits that are set, from the lowest.
struct BitNumbers<Bits: FixedWidthInteger & UnsignedInteger>: Sequence, IteratorProtocol {
    fileprivate var rest: Bits

    @inline(__always)
    mutating func next() -> Int? {
        guard rest != 0 else { return nil }
        defer { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    @inline(__always)
    var bitNumbers: BitNumbers<Self> { BitNumbers(rest: self) }
}
