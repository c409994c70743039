/// Numbers in hexadecimal, lower case.
@usableFromInline
package enum Hexadecimal {
    /// `number` with zeros in front up to `digits` digits; never fewer digits than the number needs.
    package static func text(_ number: UInt64, digits: Int = 16) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// The number that `text` spells with exactly `digits` lower-case digits; `nil` for anything else.
    package static func number(_ text: some StringProtocol, digits: Int) -> UInt64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x66 }) else { return nil }
        return UInt64(text, radix: 16)
    }

    /// Writes all digits of a number, two for each byte. No table: a few operations on whole words give all digits at once.
    @inlinable @inline(__always)
    package static func write(_ number: UInt32, to target: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(target).storeBytes(of: digits(of: number).bigEndian, as: UInt64.self)
    }

    @inlinable @inline(__always)
    package static func write(_ number: UInt16, to target: UnsafeMutablePointer<UInt8>) {
        let digits = UInt32(truncatingIfNeeded: digits(of: UInt32(number)))
        UnsafeMutableRawPointer(target).storeBytes(of: digits.bigEndian, as: UInt32.self)
    }

    /// The eight digits of a number as a word, the first one in the highest byte.
    @inlinable @inline(__always)
    static func digits(of number: UInt32) -> UInt64 {
        // Each nibble gets a byte of its own.
        var word = UInt64(number)
        word = (word | word &<< 16) & 0x0000_FFFF_0000_FFFF
        word = (word | word &<< 8) & 0x00FF_00FF_00FF_00FF
        word = (word | word &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
        // Adding 6 brings a nibble above 9 to 16 or more, which sets the lowest bit of its byte's upper half. Those nibbles are letters.
        let letters = ((word &+ 0x0606_0606_0606_0606) &>> 4) & 0x0101_0101_0101_0101
        return word &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }
}
