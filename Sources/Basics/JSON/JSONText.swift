/// JSON's smallest pieces as bytes: texts and numbers (RFC 8259).
///
/// Usable from inlined code, because a call for each text and number of a line would cost as much as the writing.
@usableFromInline
package enum JSONText {
    /// Appends a quoted, escaped string; a text longer than `limit` bytes is cut before the scalar that exceeds it.
    @inline(__always)
    package static func append(_ text: String, atMost limit: Int, to bytes: ByteBuffer, cut: inout Bool) {
        var text = text
        text.withUTF8 { utf8 in
            if utf8.count > limit { cut = true }
            append(self.cut(utf8, to: limit), to: bytes)
        }
    }

    /// A text as it is written with at most `limit` bytes: whole, or cut before the scalar that exceeds the limit.
    package static func cut(_ text: String, to limit: Int) -> String {
        var text = text
        return text.withUTF8 { String(decoding: cut($0, to: limit), as: UTF8.self) }
    }

    @inline(__always)
    package static func cut(_ utf8: UnsafeBufferPointer<UInt8>, to limit: Int) -> UnsafeBufferPointer<UInt8> {
        guard utf8.count > limit else { return utf8 }
        var end = limit
        while end > 0 && utf8[end] & 0xC0 == 0x80 { end -= 1 }
        return UnsafeBufferPointer(rebasing: utf8[..<end])
    }

    /// Appends a quoted, escaped string of any length.
    package static func append(_ text: String, to bytes: ByteBuffer) {
        var uncut = false
        append(text, atMost: .max, to: bytes, cut: &uncut)
    }

    /// A text as it stands in JSON, quoted and escaped.
    package static func quoted(_ text: String) -> String { ByteBuffer.text(capacity: text.utf8.count + 2) { append(text, to: $0) } }

    /// Appends valid UTF-8 as a quoted string. Text without characters to escape, the usual case, is copied in one go.
    package static func append(_ utf8: UnsafeBufferPointer<UInt8>, to bytes: ByteBuffer) {
        bytes.reserve(utf8.count + 2)
        bytes.appendUnchecked(UInt8(ascii: "\""))
        if copy(utf8, to: bytes.base + bytes.count) { bytes.advance(by: utf8.count) } else { appendEscaped(utf8, to: bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>, to bytes: ByteBuffer) {
        var copied = 0
        for index in 0..<utf8.count {
            let byte = utf8[index]
            if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
            bytes.append(UnsafeBufferPointer(rebasing: utf8[copied..<index]))
            appendEscape(of: byte, to: bytes)
            copied = index + 1
        }
        bytes.append(UnsafeBufferPointer(rebasing: utf8[copied...]))
    }

    /// Copies a text to `target`, eight bytes at a time. `false` if a JSON string has to escape some of it: then `target` is useless.
    @inlinable
    package static func copy(_ utf8: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        let count = utf8.count
        guard count > 0, let base = utf8.baseAddress else { return true }
        let source = UnsafeRawPointer(base)
        let copy = UnsafeMutableRawPointer(target)
        if count >= 8 {
            var found: UInt64 = 0
            var offset = 0
            while offset &+ 8 <= count {
                found |= escapes(in: move(source, copy, offset, as: UInt64.self))
                offset &+= 8
            }
            // The last eight bytes may overlap those before: that costs less than taking the rest byte by byte.
            return found | escapes(in: move(source, copy, count &- 8, as: UInt64.self)) == 0
        }
        if count >= 4 {
            let first = move(source, copy, 0, as: UInt32.self)
            let last = move(source, copy, count &- 4, as: UInt32.self)
            return escapes(in: UInt64(first) | UInt64(last) &<< 32) == 0
        }
        var word: UInt64 = 0x2020_2020_2020_2020
        for offset in 0..<count { word = word &<< 8 | UInt64(move(source, copy, offset, as: UInt8.self)) }
        return escapes(in: word) == 0
    }

    @inlinable @inline(__always)
    static func move<Word: FixedWidthInteger & BitwiseCopyable>(
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ offset: Int, as type: Word.Type
    ) -> Word {
        let word = source.loadUnaligned(fromByteOffset: offset, as: type)
        target.storeBytes(of: word, toByteOffset: offset, as: type)
        return word
    }

    /// Not zero if one of eight bytes is a control character, a quote or a backslash: a subtraction sets the top bit of such a byte. It may
    /// also set that of the byte above a hit, which changes nothing about the answer.
    @inlinable @inline(__always)
    static func escapes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = word &- (ones &* 0x20)
        let quote = (word ^ (ones &* 0x22)) &- ones
        let backslash = (word ^ (ones &* 0x5C)) &- ones
        return (control | quote | backslash) & ~word & (ones &* 0x80)
    }

    private static func appendEscape(of byte: UInt8, to bytes: ByteBuffer) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append("\\\"")
        case UInt8(ascii: "\\"): bytes.append("\\\\")
        case 0x0A: bytes.append("\\n")
        case 0x0D: bytes.append("\\r")
        case 0x09: bytes.append("\\t")
        default:
            bytes.append("\\u")
            bytes.append(Hexadecimal.text(UInt64(byte), digits: 4).utf8)
        }
    }

    @inlinable package static var integerBytes: Int { 20 }

    package static func append(_ number: Int64, to bytes: ByteBuffer) {
        bytes.reserve(integerBytes)
        bytes.advance(by: write(number, to: bytes.base + bytes.count))
    }

    /// Writes a whole number in decimal, two digits at a time; says how many bytes it took. `target` must have room for ``integerBytes``.
    @inlinable
    package static func write(_ number: Int64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var rest = number.magnitude
        let sign = number < 0 ? 1 : 0
        if sign == 1 { target.pointee = UInt8(ascii: "-") }
        let count = sign &+ digits(of: rest)
        var end = target + count
        let pairs = UnsafeRawPointer(pairs.utf8Start)
        while rest >= 100 {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 100)
            end -= 2
            _ = move(pairs + Int(remainder) &* 2, UnsafeMutableRawPointer(end), 0, as: UInt16.self)
            rest = quotient
        }
        if rest >= 10 {
            (end - 2).pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / 10)
            rest %= 10
        }
        (end - 1).pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        return count
    }

    /// The two digits of each number below 100.
    @inlinable @inline(__always)
    static var pairs: StaticString {
        """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
        5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """
    }

    @inlinable
    static func digits(of number: UInt64) -> Int {
        var rest = number
        var count = 1
        while rest >= 10_000 {
            rest /= 10_000
            count &+= 4
        }
        return count &+ (rest >= 1_000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
    }

    /// The most bytes of a number with a fraction.
    @inlinable package static var doubleBytes: Int { 32 }

    /// Appends a finite number in its shortest form that reads back equal; it always has a `.` or an exponent.
    package static func append(_ number: Double, to bytes: ByteBuffer) {
        bytes.reserve(doubleBytes)
        bytes.advance(by: write(number, to: bytes.base + bytes.count))
    }

    /// Writes a finite number in its shortest form that reads back equal; says how many bytes it took. `target` must have room for
    /// ``doubleBytes``. The form always has a `.` or an exponent.
    ///
    /// Numbers of at most two decimals, the usual prices and seconds, are written as a whole number of hundredths with a point. With up to
    /// 15 digits, no other decimal text of the same length or less reads back as the same number, so this one is the shortest.
    @inlinable
    package static func write(_ number: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let hundredths = number * 100
        guard hundredths.magnitude < 1e15 else { return writeDescription(of: number, to: target) }
        let whole = Int64(hundredths + (hundredths < 0 ? -0.5 : 0.5))
        guard Double(whole) / 100 == number, whole != 0 || number.sign == .plus else { return writeDescription(of: number, to: target) }
        var count = 0
        if whole < 0 {
            target.pointee = UInt8(ascii: "-")
            count = 1
        }
        let (units, rest) = whole.magnitude.quotientAndRemainder(dividingBy: 100)
        count += write(Int64(units), to: target + count)
        target[count] = UInt8(ascii: ".")
        target[count + 1] = UInt8(ascii: "0") + UInt8(rest / 10)
        guard rest % 10 != 0 else { return count + 2 }
        target[count + 2] = UInt8(ascii: "0") + UInt8(rest % 10)
        return count + 3
    }

    /// Swift's description is the shortest form that reads back equal, and keeps the ".0" of whole numbers.
    @usableFromInline
    static func writeDescription(of number: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var text = number.description
        return text.withUTF8 { utf8 in
            utf8.baseAddress.map { target.update(from: $0, count: utf8.count) }
            return utf8.count
        }
    }
}
