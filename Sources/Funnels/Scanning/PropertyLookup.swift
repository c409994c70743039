/// Finds one value in the `props` of a line without building anything from the rest.
///
/// Where a key stands twice the last one counts, as most parsers have it. What is no JSON has no values; nothing here recurses,
/// so depth costs nothing.
enum PropertyLookup {
    /// Calls `body` with the text at a path: a string without quotes and escapes, a number as on the line, `true` or `false`; with
    /// `nil` where the path is missing, `null`, an object or an array.
    ///
    /// - Complexity: O(bytes of `props`).
    static func scalar<Result>(
        at path: [String], in props: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        var value = props
        for key in path {
            guard let inner = member(key, of: value) else { return body(nil) }
            value = inner
        }
        switch value.first {
        case UInt8(ascii: "\""):
            let inside = UnsafeRawBufferPointer(rebasing: value[1..<(value.count - 1)])
            if !inside.contains(UInt8(ascii: "\\")) { return body(inside) }
            return unescaped(inside).withUnsafeBytes(body)
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"): return body(nil)
        default: return body(value)
        }
    }

    /// The bytes of a member's value, its quotes or brackets included.
    private static func member(_ key: String, of object: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var cursor = JSONCursor(object)
        guard cursor.take("{") else { return nil }
        var found: UnsafeRawBufferPointer?
        while let name = cursor.string() {
            guard cursor.take(":"), let value = cursor.value() else { return nil }
            if isEqual(name, key) { found = value }
            if !cursor.take(",") { break }
        }
        return cursor.take("}") ? found : nil
    }

    private static func isEqual(_ quoted: UnsafeRawBufferPointer, _ key: String) -> Bool {
        let inside = UnsafeRawBufferPointer(rebasing: quoted[1..<(quoted.count - 1)])
        return inside.contains(UInt8(ascii: "\\")) ? unescaped(inside).elementsEqual(key.utf8) : inside.elementsEqual(key.utf8)
    }

    /// A JSON text without its escapes; a lone surrogate becomes U+FFFD.
    private static func unescaped(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count else {
                text.append(bytes[place])
                place += 1
                continue
            }
            place += 2
            switch bytes[place - 1] {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "u"):
                var units = [hexUnit(bytes, at: place)]
                place += 4
                if UTF16.isLeadSurrogate(units[0]), place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
                    bytes[place + 1] == UInt8(ascii: "u"), UTF16.isTrailSurrogate(hexUnit(bytes, at: place + 2))
                {
                    units.append(hexUnit(bytes, at: place + 2))
                    place += 6
                }
                text += String(decoding: units, as: UTF16.self).utf8
            case let escaped: text.append(escaped)
            }
        }
        return text
    }

    /// Four hexadecimal digits; U+FFFD where there are none.
    private static func hexUnit(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt16 {
        guard place + 4 <= bytes.count else { return 0xFFFD }
        var unit: UInt16 = 0
        for digit in bytes[place..<(place + 4)] {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return 0xFFFD }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }
}

/// A place in JSON bytes that steps over whole values.
private struct JSONCursor {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Steps over white space and then `character`, if it stands there.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// A quoted text, its quotes included.
    mutating func string() -> UnsafeRawBufferPointer? {
        skipSpace()
        let start = place
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
        place += 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                return UnsafeRawBufferPointer(rebasing: bytes[start..<place])
            case UInt8(ascii: "\\"): place += 2
            default: place += 1
            }
        }
        return nil
    }

    mutating func value() -> UnsafeRawBufferPointer? {
        skipSpace()
        let start = place
        var depth = 0
        repeat {
            guard place < bytes.count else { return nil }
            switch bytes[place] {
            case UInt8(ascii: "\""): if string() == nil { return nil }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return nil }
                depth -= 1
                place += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if depth == 0 { return nil }
                place += 1
            default: skipLiteral()
            }
        } while depth > 0
        return UnsafeRawBufferPointer(rebasing: bytes[start..<place])
    }

    private mutating func skipLiteral() {
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"),
                UInt8(ascii: "\r"), UInt8(ascii: ":"), UInt8(ascii: "\""):
                return
            default: place += 1
            }
        }
    }

    private mutating func skipSpace() {
        while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 || bytes[place] == 0x0A || bytes[place] == 0x0D {
            place += 1
        }
    }
}
