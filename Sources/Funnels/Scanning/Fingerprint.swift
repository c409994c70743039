/// 64-bit fingerprints of keys, ids and names: equal bytes give equal fingerprints in every run and on every machine.
///
/// Each eight bytes are folded in by a 64 × 64 → 128 bit multiplication whose halves are combined, which lets every input bit
/// reach every output bit. It is no defence against inputs made to collide; whoever can write the event files can falsify
/// the counts more simply.
enum Fingerprint {
    // Odd constants with about half of their bits set, taken from the fractions of √2, √3 and √5.
    private static let start: UInt64 = 0x6A09_E667_F3BC_C909
    private static let factor: UInt64 = 0xBB67_AE85_84CA_A73B
    private static let spread: UInt64 = 0x3C6E_F372_FE94_F82B

    /// The fingerprint of some bytes; never 0, which tables use for "none".
    ///
    /// - Parameter seed: tells apart what must not collide although its bytes are equal.
    @inline(__always)
    static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        // The length in all bits: in the lowest alone, another text's bytes could make up for it.
        var hash = start ^ seed ^ UInt64(truncatingIfNeeded: bytes.count) &* spread
        var tail: UInt64 = 0
        if bytes.count > 8 {
            // The last eight bytes may be partly the ones before: that costs less than to take the rest byte by byte.
            let last = bytes.count &- 8
            var place = 0
            while place < last {
                hash = fold(hash ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian, factor)
                place &+= 8
            }
            tail = bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self).littleEndian
        } else if bytes.count >= 4 {
            let first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self).littleEndian
            let last = bytes.loadUnaligned(fromByteOffset: bytes.count &- 4, as: UInt32.self).littleEndian
            tail = UInt64(first) | UInt64(last) &<< 32
        } else {
            for byte in bytes { tail = tail &<< 8 | UInt64(byte) }
        }
        let result = fold(fold(hash ^ tail, factor), start)
        return result == 0 ? 1 : result
    }

    /// One fingerprint of two.
    @inline(__always)
    static func of(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let result = fold(fold(first ^ start, factor) ^ second, factor)
        return result == 0 ? 1 : result
    }

    @inline(__always)
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let (high, low) = a.multipliedFullWidth(by: b)
        return high ^ low
    }
}
