import Basics

extension ByteBuffer {
    /// Unsigned LEB128: seven bits a byte, the lowest first.
    package func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// A signed number, short if its magnitude is small: 0, −1, 1, −2 become 0, 1, 2, 3.
    package func appendZigzag(_ value: Int64) { appendVarint(UInt64(bitPattern: value << 1 ^ value >> 63)) }
}

extension UnsafeRawBufferPointer {
    /// Reads what ``ByteBuffer/appendVarint(_:)`` wrote at an offset, and moves it behind; `nil` if the bytes end first, or beyond 64 bits.
    package func varint(at offset: inout Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < count, shift < 64 {
            let byte = self[offset]
            offset += 1
            // The tenth byte has room for one bit.
            if shift == 63, byte > 1 { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Reads a signed number that ``ByteBuffer/appendZigzag(_:)`` wrote, and moves `offset` behind it; `nil` if it is cut or too long.
    func zigzag(at offset: inout Int) -> Int64? { varint(at: &offset).map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) } }
}
