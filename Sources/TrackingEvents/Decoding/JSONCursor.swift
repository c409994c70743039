/// A strict JSON parser (RFC 8259) that builds no tree. It reads every line that is not in the writers' layout. Its depth is bounded, so
/// that no input can exhaust the stack. It does not check the UTF-8 inside strings.
package struct JSONCursor {
    package let bytes: UnsafeRawBufferPointer
    package var offset: Int
    /// How deep objects and arrays may nest in a value, the value itself counted.
    let depthLimit: Int
    var depth = 0

    @inline(__always)
    package init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0, depthLimit: Int = EventLineScanner.depthLimit) {
        (self.bytes, self.offset, self.depthLimit) = (bytes, offset, depthLimit)
    }

    /// The current byte; `nil` at the end.
    @inline(__always)
    package var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Skips the current byte if it is this one; `false` if not.
    @inline(__always)
    package mutating func take(_ expected: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(truncatingIfNeeded: expected.value) else { return false }
        offset += 1
        return true
    }

    @inline(__always)
    package mutating func skipWhiteSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    package func failure(_ expected: BadLine.Expected) -> BadLine { BadLine(.malformed(expected), at: offset) }

    /// Reads a key and skips its colon.
    package mutating func key() throws(BadLine) -> LineText {
        guard byte == UInt8(ascii: "\"") else { throw failure(.key) }
        let key = try text()
        skipWhiteSpace()
        guard take(":") else { throw failure(.colon) }
        skipWhiteSpace()
        return key
    }

    /// Reads the string whose opening quote is here, without its quotes.
    package mutating func text() throws(BadLine) -> LineText {
        offset += 1
        let start = offset
        var hasEscapes = false
        while true {
            offset = JSONBytes.endOfPlainText(in: bytes, from: offset)
            guard offset < bytes.count else { throw failure(.closingQuote) }
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return LineText(start..<offset - 1, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape()
            default: throw failure(.escapedControl)
            }
        }
    }

    private mutating func escape() throws(BadLine) {
        guard offset + 1 < bytes.count else { throw failure(.escape) }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            guard JSONUnescaping.unit(of: bytes, at: offset + 2) != nil else { throw failure(.escape) }
            offset += 6
        default: throw failure(.escape)
        }
    }
}
