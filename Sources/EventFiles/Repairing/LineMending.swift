import TrackingEvents

/// Makes a line readable for engines that refuse a whole file for one odd byte: bytes that are no UTF-8, and escapes that are half of a
/// surrogate pair, become U+FFFD. Numbers beyond doubles become `null`, as the writer writes them.
enum LineMending {
    static func mended(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
        var bytes: [UInt8]?
        if JSONBytes.firstInvalidUTF8(in: line) != nil { bytes = Array(String(decoding: line, as: UTF8.self).utf8) }
        func mend(_ find: (UnsafeRawBufferPointer) -> [Range<Int>], _ replacement: String) {
            let found = bytes?.withUnsafeBytes(find) ?? find(line)
            for range in found.reversed() {
                bytes = bytes ?? Array(line)
                bytes?.replaceSubrange(range, with: replacement.utf8)
            }
        }
        mend({ text in JSONUnescaping.loneSurrogates(in: text).map { $0 + 2..<$0 + 6 } }, "fffd")
        mend(infiniteNumbers, "null")
        return bytes
    }

    /// The numbers that no double can hold.
    private static func infiniteNumbers(in line: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < line.count {
            let byte = line[index]
            if byte == UInt8(ascii: "\"") {
                index = endOfText(in: line, from: index)
            } else if byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10, let end = JSONNumber.end(in: line, from: index) {
                let number = UnsafeRawBufferPointer(rebasing: line[index..<end])
                // The shortest such number without an exponent has 309 digits.
                let mayBe = number.count > 308 || number.contains { $0 | 0x20 == UInt8(ascii: "e") }
                if mayBe, JSONNumber.double(number).isInfinite { found.append(index..<end) }
                index = end
            } else {
                index += 1
            }
        }
        return found
    }

    /// The index behind the quote that ends the text that begins at `start`; the end of the line if there is no such quote.
    private static func endOfText(in line: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start + 1
        while index < line.count, line[index] != UInt8(ascii: "\"") { index += line[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(index + 1, line.count)
    }
}
