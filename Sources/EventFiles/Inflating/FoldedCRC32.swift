internal import CZlib

/// The CRC-32 of gzip, for runs of bytes long enough to be worth folding; zlib does the rest.
///
/// A CRC is the remainder of the message, as a polynomial over two elements, by x³² + x²⁶ + x²³ + … + 1. Of that divisor
/// x³⁰⁰ + x¹⁵⁵ + x¹¹⁷ + x⁸⁹ + 1 is a multiple, and no shorter one has so few terms. Squaring such a polynomial doubles its exponents
/// and leaves it a multiple, so the same holds with 128-fold exponents: 16 bytes may be struck from the beginning of a message if
/// they are added to those that stand 145, 183, 211 and 300 times 16 bytes behind. Done to all but the last 300, that leaves 4,800
/// bytes with the remainder of the whole. It takes four additions for 16 bytes, where tables take a look-up for each byte.
enum FoldedCRC32 {
    private typealias Unit = SIMD2<UInt64>

    private static var unitBytes: Int { 16 }
    /// The exponents of x³⁰⁰ + …, taken from 300: how far behind what is struck is added.
    private static var distances: (Int, Int, Int, Int) { (145, 183, 211, 300) }
    private static var reach: Int { 300 }
    /// How much is folded at a time: with what it reaches back to it lies in a processor's innermost cache.
    private static var blockUnits: Int { 1_024 }
    /// From here on it pays.
    static var leastBytes: Int { 16 * 1_024 }

    /// The CRC of some bytes behind others.
    ///
    /// - Parameters:
    ///   - crc: of the bytes before; 0 if there are none.
    ///   - bytes: what comes next.
    /// - Complexity: O(bytes). Short runs, and the last 4,800 bytes of long ones, at the speed of zlib's tables.
    static func updated(_ crc: UInt32, with bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard bytes.count >= leastBytes, let base = bytes.baseAddress else { return byTables(crc, bytes) }
        let whole = bytes.count / unitBytes
        return withUnsafeTemporaryAllocation(of: Unit.self, capacity: reach + blockUnits) { memory in
            guard let folded = memory.baseAddress else { return byTables(crc, bytes) }
            folded.initialize(repeating: .zero, count: reach)
            let struck = whole - reach
            var place = 0
            while place < struck {
                let count = min(blockUnits, struck - place)
                fold(base + place * unitBytes, count: count, behind: folded + reach, crc: place == 0 ? crc : nil)
                folded.update(from: folded + count, count: reach)
                place += count
            }
            addLast(base + struck * unitBytes, behind: folded + reach)
            // A CRC of ones is what zlib turns into an empty remainder.
            let remainder = byTables(.max, UnsafeRawBufferPointer(start: folded + reach, count: reach * unitBytes))
            return byTables(remainder, UnsafeRawBufferPointer(rebasing: bytes[(whole * unitBytes)...]))
        }
    }

    /// Adds to each unit the ones before it that reach it. The first bytes of all take the CRC of what came before.
    private static func fold(_ source: UnsafeRawPointer, count: Int, behind folded: UnsafeMutablePointer<Unit>, crc: UInt32?) {
        let (first, second, third, fourth) = distances
        var from = 0
        if let crc {
            // Nothing comes before. The CRC belongs to the message's first bytes, wherever those stand in a word here.
            folded[0] = source.loadUnaligned(as: Unit.self) ^ Unit(UInt64(~crc).littleEndian, 0)
            from = 1
        }
        for place in from..<count {
            folded[place] =
                source.loadUnaligned(fromByteOffset: place &* unitBytes, as: Unit.self)
                ^ (folded[place &- first] ^ folded[place &- second]) ^ (folded[place &- third] ^ folded[place &- fourth])
        }
    }

    /// The last units: those that were struck are added to them, they are not struck themselves.
    private static func addLast(_ source: UnsafeRawPointer, behind folded: UnsafeMutablePointer<Unit>) {
        let (first, second, third, fourth) = distances
        for place in 0..<reach {
            var unit = source.loadUnaligned(fromByteOffset: place * unitBytes, as: Unit.self)
            for distance in [first, second, third, fourth] where distance > place { unit ^= folded[place - distance] }
            folded[place] = unit
        }
    }

    private static func byTables(_ crc: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return crc }
        return UInt32(truncatingIfNeeded: crc32_z(UInt(crc), base.assumingMemoryBound(to: UInt8.self), bytes.count))
    }
}
