package import Basics

/// Text from outside made fit for one line of a terminal or a log: what would move the cursor or turn the reading direction is escaped,
/// and what is too long is cut. It is a stream, so that a value of megabytes does not first become a text of megabytes.
package struct PlainText: TextOutputStream {
    private let bytes: ByteBuffer
    private var room: Int

    /// - Parameter limit: how many Unicode scalars are kept, counted before escaping. 0 or less keeps none.
    package init(limit: Int, into bytes: ByteBuffer = ByteBuffer(capacity: 64)) { (room, self.bytes) = (Swift.max(limit, 0), bytes) }

    /// What was written, after whatever the buffer held before, with `…` at the end if it was cut.
    package var text: String { bytes.text }

    /// Whether something was cut: what is written from now on is lost.
    package var isFull: Bool { room < 0 }

    package mutating func write(_ string: String) {
        var string = string
        string.withUTF8 { write($0) }
    }

    /// Appends valid UTF-8.
    package mutating func write(_ utf8: UnsafeBufferPointer<UInt8>) {
        var offset = 0
        while offset < utf8.count {
            // Below zero, the `…` for what is missing has been appended already.
            guard room > 0 else {
                if room == 0 { bytes.append("…") }
                room = -1
                return
            }
            // Printable ASCII, nearly everything, is copied in one go.
            let start = offset
            let end = start + Swift.min(room, utf8.count - start)
            while offset < end, utf8[offset] >= 0x20 && utf8[offset] < 0x7F { offset += 1 }
            if offset > start {
                bytes.append(UnsafeBufferPointer(rebasing: utf8[start..<offset]))
                room -= offset - start
            } else {
                let length = utf8[offset] < 0x80 ? 1 : (~utf8[offset]).leadingZeroBitCount
                append(UnsafeBufferPointer(rebasing: utf8[offset..<offset + length]))
                offset += length
                room -= 1
            }
        }
    }

    private func append(_ scalar: UnsafeBufferPointer<UInt8>) {
        let value = scalar.dropFirst().reduce(UInt32(scalar[0]) & (0xFF >> UInt32(scalar.count == 1 ? 0 : scalar.count + 1))) {
            $0 << 6 | UInt32($1 & 0x3F)
        }
        switch value {
        case 0x0A: bytes.append("\\n")
        case 0x0D: bytes.append("\\r")
        case 0x09: bytes.append("\\t")
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069:
            bytes.append("\\u{\(String(value, radix: 16, uppercase: true))}".utf8)
        default: bytes.append(scalar)
        }
    }

    package static func of(_ string: String, limit: Int = .max) -> String {
        if string.utf8.count <= limit && string.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return string }
        var plain = PlainText(limit: limit)
        plain.write(string)
        return plain.text
    }
}
