package import Basics

/// Undoes the escapes of JSON strings (RFC 8259 §7).
package enum JSONUnescaping {
    /// Appends the text of a string, given without its quotes. The scanner has checked the escapes. Half of a surrogate pair, or `\u`
    /// without four digits, becomes U+FFFD; any other invalid escape is copied without its backslash.
    package static func append(_ text: UnsafeRawBufferPointer, to output: ByteBuffer) {
        output.reserve(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < text.count else {
                output.append(byte)
                continue
            }
            let escape = text[index]
            index += 1
            switch escape {
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "u"): UTF8.encode(scalar(of: text, at: &index))?.forEach { output.append($0) }
            default: output.append(escape)
            }
        }
    }

    /// The scalar of the four hex digits at `index`, and of the second escape if the two are a pair.
    private static func scalar(of text: UnsafeRawBufferPointer, at index: inout Int) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        guard let first = unit(of: text, at: index) else { return replacement }
        index += 4
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 6 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u"),
            let second = unit(of: text, at: index + 2), second >= 0xDC00, second < 0xE000
        else { return replacement }
        index += 6
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
    }

    /// The escapes that are half of a surrogate pair, in one or more strings, as the offsets of their backslashes.
    package static func loneSurrogates(in text: UnsafeRawBufferPointer) -> [Int] {
        func escaped(at offset: Int) -> UInt32? { JSONBytes.matches(#"\u"#, in: text, at: offset) ? unit(of: text, at: offset + 2) : nil }
        var found: [Int] = []
        var next = 0
        while let start = JSONBytes.first(UInt8(ascii: "\\"), in: text, from: next) {
            guard let first = escaped(at: start) else {
                next = start + 2
                continue
            }
            next = start + 6
            guard 0xD800..<0xE000 ~= first else { continue }
            if first < 0xDC00, let second = escaped(at: next), 0xDC00..<0xE000 ~= second { next += 6 } else { found.append(start) }
        }
        return found
    }

    static func unit(of text: UnsafeRawBufferPointer, at index: Int) -> UInt32? {
        guard index + 4 <= text.count else { return nil }
        var value: UInt32 = 0
        for digit in text[index..<index + 4] {
            guard let nibble = hexValue(of: digit) else { return nil }
            value = value << 4 | nibble
        }
        return value
    }

    private static func hexValue(of digit: UInt8) -> UInt32? {
        if digit &- UInt8(ascii: "0") < 10 { return UInt32(digit - UInt8(ascii: "0")) }
        let letter = digit | 0x20
        return letter &- UInt8(ascii: "a") < 6 ? UInt32(letter - UInt8(ascii: "a") + 10) : nil
    }
}
