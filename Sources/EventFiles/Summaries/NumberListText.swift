/// Whole numbers from 0 on as short text, for the metadata of a Parquet file. Each character of base64's alphabet holds five bits of a
/// number, the lowest first, and a sixth bit that says that more follow. (Source maps use the same form, with a sign.)
enum NumberListText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(value) }
        return digits
    }()

    static func append(_ number: UInt64, to text: inout [UInt8]) {
        var rest = number
        repeat {
            let more: UInt64 = rest >= 32 ? 32 : 0
            text.append(alphabet[Int(rest & 31 | more)])
            rest >>= 5
        } while rest > 0
    }

    static func text(_ numbers: some Sequence<UInt64>) -> String {
        var text: [UInt8] = []
        for number in numbers { append(number, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    static func numbers(_ text: UnsafeRawBufferPointer) -> [UInt64]? {
        var reader = Reader(text: text)
        var numbers: [UInt64] = []
        while let number = reader.next() { numbers.append(number) }
        return reader.isAtEnd ? numbers : nil
    }

    struct Reader {
        let text: UnsafeRawBufferPointer
        private(set) var offset = 0

        /// Whether all was read. It stays `false` if the text is no such list.
        var isAtEnd: Bool { offset == text.count }

        @inline(__always)
        mutating func next() -> UInt64? {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            var end = offset
            while end < text.count {
                let digit = digits[Int(text[end])]
                guard digit < 64, shift < 64 else { return nil }
                value |= UInt64(digit & 31) << shift
                shift += 5
                end += 1
                if digit < 32 {
                    offset = end
                    return value
                }
            }
            return nil
        }
    }
}
