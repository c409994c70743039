import TrackingEvents

/// Makes a line readable for engines that refuse a whole file for one odd byte: bytes that are no UTF-8, and escapes that are half of a
/// surrogate pair, become U+FFFD. Numbers beyond doubles become `null`, as the writer writes them.
enum LineMending {
    static func mended(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
        var bytes: [UInt8]?
        if JSONBytes.firstInvalidUTF8(in: line) != nil { bytes = Array(String(decoding: line, as: UTF8.self).utf8) }
        func mend(_ find: (UnsafeRawBufferPointer) -> [Range<Int>], _ replacement: String) {
            let found = bytes?.withUnsafeBytes(find) ?? find(line)
            if found.isEmpty { return }
            let old = bytes ?? Array(line)
            let kept = zip([0] + found.map(\.upperBound), found.map(\.lowerBound) + [old.count])
            bytes = Array(kept.map { old[$0..<$1] }.joined(separator: replacement.utf8))
        }
        mend({ text in JSONUnescaping.loneSurrogates(in: text).map { $0 + 2..<$0 + 6 } }, "fffd")
        mend(infiniteNumbers, "null")
        return bytes
    }

    /// The numbers outside texts that no double can hold. A line that is no JSON is looked at up to its first broken text or number.
    private static func infiniteNumbers(in line: UnsafeRawBufferPointer) -> [Range<Int>] {
        var (found, cursor): ([Range<Int>], JSONCursor) = ([], JSONCursor(line))
        while let byte = cursor.byte {
            switch byte {
            case UInt8(ascii: "\""): if (try? cursor.text()) == nil { return found }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard let end = JSONNumber.end(in: line, from: cursor.offset) else { return found }
                let text = UnsafeRawBufferPointer(rebasing: line[cursor.offset..<end])
                // The shortest such number without an exponent has 309 digits.
                let mayBe = text.count > 308 || text.contains { $0 | 0x20 == UInt8(ascii: "e") }
                if mayBe && JSONNumber.double(text).isInfinite { found.append(cursor.offset..<end) }
                cursor.offset = end
            default: cursor.offset += 1
            }
        }
        return found
    }
}
