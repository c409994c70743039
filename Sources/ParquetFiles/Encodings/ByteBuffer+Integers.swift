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

    /// A signed number, small whatever its sign: 0, −1, 1, −2 become 0, 1, 2, 3.
    package func appendZigzag(_ value: Int64) { appendVarint(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    func appendLittleEndian<Number: FixedWidthInteger>(_ value: Number) {
        withUnsafeBytes(of: value.littleEndian) { append($0.bindMemory(to: UInt8.self)) }
    }

    func append(_ bytes: UnsafeRawBufferPointer) { append(bytes.bindMemory(to: UInt8.self)) }
}
