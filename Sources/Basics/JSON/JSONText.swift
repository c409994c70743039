/// JSON's smallest pieces as bytes: texts and numbers (RFC 8259).
package enum JSONText {
    /// Appends a quoted, escaped string; a text longer than `limit` bytes is cut before the scalar that exceeds it.
    @inline(__always)
    package static func append(_ text: String, atMost limit: Int, to bytes: ByteBuffer, cut: inout Bool) {
        var text = text
        text.withUTF8 { utf8 in
            var utf8 = utf8
            if utf8.count > limit {
                cut = true
                utf8 = UnsafeBufferPointer(rebasing: utf8[..<lastBoundary(in: utf8, upTo: limit)])
            }
            append(utf8, to: bytes)
        }
    }

    /// A text as it is written with at most `limit` bytes: whole, or cut before the scalar that exceeds the limit.
    package static func cut(_ text: String, to limit: Int) -> String {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.count <= limit
                ? String(decoding: utf8, as: UTF8.self) : String(decoding: utf8[..<lastBoundary(in: utf8, upTo: limit)], as: UTF8.self)
        }
    }

    /// Where the last scalar that ends within `limit` bytes ends.
    private static func lastBoundary(in utf8: UnsafeBufferPointer<UInt8>, upTo limit: Int) -> Int {
        var end = limit
        while end > 0 && utf8[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }

    /// Appends a quoted, escaped string of any length.
    package static func append(_ text: String, to bytes: ByteBuffer) {
        var uncut = false
        append(text, atMost: .max, to: bytes, cut: &uncut)
    }

    /// Appends valid UTF-8 as a quoted string. Text without characters to escape, the usual case, is copied in one go.
    package static func append(_ utf8: UnsafeBufferPointer<UInt8>, to bytes: ByteBuffer) {
        bytes.reserve(utf8.count + 2)
        bytes.appendUnchecked(UInt8(ascii: "\""))
        var copied = 0
        for index in 0..<utf8.count {
            let byte = utf8[index]
            if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
            bytes.append(UnsafeBufferPointer(rebasing: utf8[copied..<index]))
            appendEscape(of: byte, to: bytes)
            copied = index + 1
        }
        bytes.append(UnsafeBufferPointer(rebasing: utf8[copied...]))
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(of byte: UInt8, to bytes: ByteBuffer) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append("\\\"")
        case UInt8(ascii: "\\"): bytes.append("\\\\")
        case 0x0A: bytes.append("\\n")
        case 0x0D: bytes.append("\\r")
        case 0x09: bytes.append("\\t")
        default:
            bytes.append("\\u00")
            let digits: StaticString = "0123456789abcdef"
            bytes.append(digits.utf8Start[Int(byte >> 4)])
            bytes.append(digits.utf8Start[Int(byte & 0xF)])
        }
    }

    /// Appends a whole number in decimal.
    package static func append(_ number: Int64, to bytes: ByteBuffer) {
        bytes.reserve(20)
        if number < 0 { bytes.appendUnchecked(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var digits = 1
        var power: UInt64 = 10
        while digits < 20 && rest >= power {
            digits += 1
            let (next, overflow) = power.multipliedReportingOverflow(by: 10)
            if overflow { break }
            power = next
        }
        let start = bytes.count
        bytes.advance(by: digits)
        for offset in stride(from: digits - 1, through: 0, by: -1) {
            bytes.base[start + offset] = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
            rest /= 10
        }
    }

    /// Appends a finite number in its shortest form that reads back equal; it always has a `.` or an exponent.
    package static func append(_ number: Double, to bytes: ByteBuffer) {
        // Swift's description is the shortest round-trip form and keeps the ".0" of whole numbers.
        var text = number.description
        text.withUTF8 { bytes.append($0) }
    }
}
