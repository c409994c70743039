import TrackingEvents

/// Makes a line readable for engines that refuse a whole file for one odd place: what is no UTF-8, and escapes that are half of a
/// surrogate pair, become U+FFFD, and numbers beyond doubles become `null`, as the writer writes them.
enum LineMending {
    /// The mended line; `nil` if there is nothing to mend.
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

    /// Where numbers stand that no double can hold.
    private static func infiniteNumbers(in line: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        while place < line.count {
            let byte = line[place]
            if byte == UInt8(ascii: "\"") {
                place = endOfText(in: line, from: place)
            } else if byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10, let end = JSONNumber.end(in: line, from: place) {
                let number = UnsafeRawBufferPointer(rebasing: line[place..<end])
                // The shortest such number without an exponent has 309 digits.
                let mayBe = number.count > 308 || number.contains { $0 | 0x20 == UInt8(ascii: "e") }
                if mayBe, JSONNumber.double(number).isInfinite { found.append(place..<end) }
                place = end
            } else {
                place += 1
            }
        }
        return found
    }

    /// Behind the quote that ends the text which begins here; the line's end if none does.
    private static func endOfText(in line: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start + 1
        while place < line.count, line[place] != UInt8(ascii: "\"") { place += line[place] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(place + 1, line.count)
    }
}
