import Basics

/// Numbers of the same width in bits, one after the other, the lowest bit first.
enum BitPacking {
    /// How many bytes behind the packed ones a reader must be allowed to load.
    static let padding = 8

    @inline(__always)
    static func width(_ value: UInt64) -> Int { 64 - value.leadingZeroBitCount }

    /// Appends the lowest `width` bits of each number; the last byte is filled up with zeros.
    static func append(_ values: UnsafeBufferPointer<UInt64>, width: Int, to output: ByteBuffer) {
        guard width > 0 else { return }
        output.reserve((values.count * width + 7) / 8)
        var held: UInt128 = 0
        var bits = 0
        let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
        for value in values {
            held |= UInt128(value & mask) << UInt128(bits)
            bits += width
            while bits >= 32 {
                UnsafeMutableRawPointer(output.base + output.count)
                    .storeBytes(of: UInt32(truncatingIfNeeded: held).littleEndian, as: UInt32.self)
                output.advance(by: 4)
                held >>= 32
                bits -= 32
            }
        }
        for shift in stride(from: 0, to: bits, by: 8) { output.append(UInt8(truncatingIfNeeded: held >> UInt128(shift))) }
    }

    /// The number at an index. May load ``padding`` bytes behind those that hold it.
    @inline(__always)
    static func value(at index: Int, width: Int, in bytes: UnsafeRawPointer) -> UInt64 {
        if width == 0 { return 0 }
        let bit = index &* width
        let shift = UInt64(truncatingIfNeeded: bit & 7)
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)) &>> shift
        let mask: UInt64 = width == 64 ? .max : (1 &<< UInt64(truncatingIfNeeded: width)) &- 1
        if width <= 56 { return word & mask }
        let rest = shift == 0 ? 0 : UInt64(bytes.load(fromByteOffset: bit &>> 3 &+ 8, as: UInt8.self)) &<< (64 &- shift)
        return (word | rest) & mask
    }
}
