/// Base64 with padding (RFC 4648 §4).
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func append(_ bytes: [UInt8], to output: ByteBuffer) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let filled = min(3, bytes.count - start)
            var bits: UInt32 = 0
            for index in 0..<filled { bits |= UInt32(bytes[start + index]) << UInt32(16 - 8 * index) }
            for digit in 0..<4 { output.append(digit <= filled ? digits[Int(bits >> UInt32(18 - 6 * digit)) & 63] : UInt8(ascii: "=")) }
        }
    }

    package static func text(_ bytes: [UInt8]) -> String { ByteBuffer.text(capacity: 64) { append(bytes, to: $0) } }
}
