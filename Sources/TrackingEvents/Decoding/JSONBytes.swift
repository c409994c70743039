import Basics

/// The innermost loops over a line's bytes.
package enum JSONBytes {
    /// The first offset from `start` on with a quote, a backslash or a control character; the end if there is none. It tests eight bytes at
    /// a time. Each of the two tests marks a matching byte by its high bit. A match may falsely mark bytes above it but never one below, so
    /// the lowest mark is right. The second test also marks spaces and exclamation marks, which lie between control characters and quotes.
    /// They are passed over: for texts with few of them that is less work than a third test.
    @inline(__always)
    package static func endOfPlainText(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var offset = start
        while offset &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let marks = ((backslash &- ones) & ~backslash | (word &- 0x2323_2323_2323_2323) & ~word) & highs
            if marks == 0 {
                offset &+= 8
                continue
            }
            offset &+= marks.trailingZeroBitCount / 8
            if bytes[offset] != UInt8(ascii: " ") && bytes[offset] != UInt8(ascii: "!") { return offset }
            offset &+= 1
        }
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return offset }
            offset &+= 1
        }
        return offset
    }

    /// The number that the leading digits of eight loaded bytes form, and how many digits there are.
    @inline(__always)
    package static func leadingDigits(of word: UInt64) -> (value: UInt64, digits: Int) {
        let digits = UInt64(littleEndian: word) ^ 0x3030_3030_3030_3030
        // The high bit of each byte that is more than 9.
        let others = ((digits & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
        let count = others.trailingZeroBitCount &>> 3
        if count == 0 { return (0, 0) }
        // Shifted so that zeros come first; then neighbours combine into pairs, fours and the whole.
        let ones = digits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let twos = ((ones &* 2561) &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = ((twos &* 6_553_601) &>> 16) & 0x0000_FFFF_0000_FFFF
        return ((fours &* 42_949_672_960_001) &>> 32, count)
    }

    /// - Parameter exponent: 0 to 7.
    @inline(__always)
    package static func powerOfTen(_ exponent: Int) -> UInt64 {
        let low: UInt64 = exponent & 1 != 0 ? 10 : 1
        let middle: UInt64 = exponent & 2 != 0 ? 100 : 1
        let high: UInt64 = exponent & 4 != 0 ? 10_000 : 1
        return low &* middle &* high
    }

    /// Whether these bytes are at `offset`. With a literal the comparison compiles to one or two loads.
    @inline(__always)
    package static func matches(_ literal: StaticString, in bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard offset &+ count <= bytes.count else { return false }
        return memcmp(bytes.baseAddress! + offset, literal.utf8Start, count) == 0
    }

    @inline(__always)
    package static func first(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), bytes.count - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// The first offset at which the bytes are no UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
    package static func firstInvalidUTF8(in bytes: UnsafeRawBufferPointer) -> Int? {
        var offset = 0
        while offset < bytes.count {
            if offset &+ 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
                offset &+= 8
                continue
            }
            let first = bytes[offset]
            if first < 0x80 {
                offset &+= 1
                continue
            }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch first {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: return offset
            }
            guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return offset }
            for later in offset + 2..<max(offset + length, offset + 2) where bytes[later] & 0xC0 != 0x80 { return offset }
            offset += length
        }
        return nil
    }
}
