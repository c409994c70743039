/// A number as JSON writes it, compared without losing digits where both sides are whole.
enum NumberText: Sendable {
    case whole(Int64)
    case real(Double)

    /// The number that the whole text is by JSON's grammar (RFC 8259 §6); `nil` for anything else: `+1`, `01`, `.5`, ` 1`, `1e999`.
    ///
    /// So a postal code such as `01234` stays a text.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        func isDigit(_ place: Int) -> Bool { place < bytes.count && bytes[place] &- 48 < 10 }
        func skipDigits() { while isDigit(place) { place += 1 } }

        let negative = bytes.first == UInt8(ascii: "-")
        if negative { place = 1 }
        let first = place
        guard isDigit(place) else { return nil }
        skipDigits()
        if bytes[first] == UInt8(ascii: "0") && place > first + 1 { return nil }
        if place == bytes.count, place - first <= 18 {
            var value: Int64 = 0
            for digit in bytes[first...] { value = value * 10 + Int64(digit - 48) }
            self = .whole(negative ? -value : value)
            return
        }
        if place < bytes.count && bytes[place] == UInt8(ascii: ".") {
            place += 1
            guard isDigit(place) else { return nil }
            skipDigits()
        }
        if place < bytes.count && bytes[place] | 0x20 == UInt8(ascii: "e") {
            place += 1
            if place < bytes.count && (bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-")) { place += 1 }
            guard isDigit(place) else { return nil }
            skipDigits()
        }
        guard place == bytes.count else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        if let value = Int64(text) {
            self = .whole(value)
        } else if let value = Double(text), value.isFinite {
            self = .real(value)
        } else {
            return nil
        }
    }

    /// −1, 0 or 1 as the first is smaller, equal or larger.
    static func order(_ a: NumberText, _ b: NumberText) -> Int {
        switch (a, b) {
        case (.whole(let a), .whole(let b)): return a < b ? -1 : a == b ? 0 : 1
        default: return a.double < b.double ? -1 : a.double == b.double ? 0 : 1
        }
    }

    private var double: Double {
        switch self {
        case .whole(let value): Double(value)
        case .real(let value): value
        }
    }
}
