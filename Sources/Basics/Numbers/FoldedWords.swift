// The parts of hashes that need not be cryptographic.

extension UInt64 {
    /// Both halves of the product folded into one word: every bit of both numbers reaches every bit.
    @inlinable @inline(__always)
    package func folded(by other: UInt64) -> UInt64 {
        let (high, low) = multipliedFullWidth(by: other)
        return high ^ low
    }
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with numbers that hold up to eight of the bytes each. No other bytes of the same count give the same numbers.
    @inlinable @inline(__always)
    package func forEachWord(_ body: (UInt64) -> Void) {
        var tail: UInt64 = 0
        if count > 8 {
            // The last eight bytes may overlap those before: that costs less than taking the rest byte by byte.
            let last = count &- 8
            var offset = 0
            while offset < last {
                body(loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
                offset &+= 8
            }
            tail = loadUnaligned(fromByteOffset: last, as: UInt64.self).littleEndian
        } else if count >= 4 {
            let first = loadUnaligned(fromByteOffset: 0, as: UInt32.self).littleEndian
            let last = loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self).littleEndian
            tail = UInt64(first) | UInt64(last) &<< 32
        } else {
            for byte in self { tail = tail &<< 8 | UInt64(byte) }
        }
        body(tail)
    }
}
