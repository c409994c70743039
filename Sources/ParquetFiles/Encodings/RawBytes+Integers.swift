extension UnsafeRawBufferPointer {
    /// What ``ByteBuffer/appendVarint(_:)`` wrote at an offset, and moves the offset behind it; `nil` if the bytes end first, or it has more than 64 bits.
    package func varint(at offset: inout Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < count, shift < 64 {
            let byte = self[offset]
            offset += 1
            // Of the tenth byte there is room for a bit.
            if shift == 63, byte > 1 { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// The same for what ``ByteBuffer/appendZigzag(_:)`` wrote.
    func zigzag(at offset: inout Int) -> Int64? { varint(at: &offset).map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) } }
}
