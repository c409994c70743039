import TrackingEvents

/// Makes a line readable for engines that refuse a whole file for one odd place: what is no UTF-8, and escapes that are half of a
/// surrogate pair, become U+FFFD, and numbers beyond doubles become `null`, as the writer writes them.
enum LineMending {
    /// The mended line; `nil` if there is nothing to mend.
    static func mended(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
        var bytes: [UInt8]
        var isChanged = false
        if JSONBytes.firstInvalidUTF8(in: line) != nil {
            bytes = Array(String(decoding: line, as: UTF8.self).utf8)
            isChanged = true
        } else {
            guard hasSurrogateEscape(line) || !infiniteNumbers(in: line).isEmpty else { return nil }
            bytes = Array(line)
        }
        if replaceLoneSurrogates(in: &bytes) { isChanged = true }
        for number in bytes.withUnsafeBytes({ infiniteNumbers(in: $0) }).reversed() {
            bytes.replaceSubrange(number, with: "null".utf8)
            isChanged = true
        }
        return isChanged ? bytes : nil
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

    private static func hasSurrogateEscape(_ line: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while let found = JSONBytes.first(UInt8(ascii: "\\"), in: line, from: place) {
            if found + 2 < line.count, line[found + 1] == UInt8(ascii: "u"), line[found + 2] | 0x20 == UInt8(ascii: "d") { return true }
            place = found + 2
        }
        return false
    }

    /// Writes `fffd` over the digits of each escape that has no other half beside it.
    private static func replaceLoneSurrogates(in bytes: inout [UInt8]) -> Bool {
        var isChanged = false
        var place = 0
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\\") else {
                place += 1
                continue
            }
            guard let unit = unit(in: bytes, at: place) else {
                place += 2
                continue
            }
            if 0xD800..<0xDC00 ~= unit, let next = self.unit(in: bytes, at: place + 6), 0xDC00..<0xE000 ~= next {
                place += 12
                continue
            }
            if 0xD800..<0xE000 ~= unit {
                bytes.replaceSubrange(place + 2..<place + 6, with: "fffd".utf8)
                isChanged = true
            }
            place += 6
        }
        return isChanged
    }

    /// The code unit of an escape `\uXXXX` that stands here.
    private static func unit(in bytes: [UInt8], at place: Int) -> UInt32? {
        guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[place + 2..<place + 6] {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
