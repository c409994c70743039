/// Base64 with padding (RFC 4648 §4).
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func append(_ bytes: [UInt8], to output: ByteBuffer) {
        var (bits, filled) = (UInt32(0), 0)
        func flush() {
            for digit in 0..<4 { output.append(digit <= filled ? digits[Int(bits >> UInt32(18 - 6 * digit)) & 63] : UInt8(ascii: "=")) }
        }
        for byte in bytes {
            bits |= UInt32(byte) << UInt32(16 - 8 * filled)
            filled += 1
            if filled == 3 {
                flush()
                (bits, filled) = (0, 0)
            }
        }
        if filled > 0 { flush() }
    }

    package static func text(_ bytes: [UInt8]) -> String { ByteBuffer.text(capacity: 64) { append(bytes, to: $0) } }
}
