import TrackingEvents

/// A number as JSON writes it, compared without losing digits where both sides are whole, or beyond all doubles.
enum NumberText: Sendable {
    case whole(Int64)
    case real(Double)
    /// Beyond all doubles, or digits alone and beyond 64 bits: ±0.`digits` × 10^`power`, without zeros around, and the nearest double.
    case huge(Double, power: Int, digits: [UInt8])

    /// The number that the whole text is by JSON's grammar (RFC 8259 §6); `nil` for anything else: `+1`, `01`, `.5`, ` 1`.
    ///
    /// So a postal code such as `01234` stays a text.
    init?(_ text: UnsafeRawBufferPointer) {
        guard JSONNumber.end(in: text, from: 0) == text.count else { return nil }
        if let whole = JSONNumber.integer(text) {
            self = .whole(whole)
            return
        }
        let real = JSONNumber.double(text)
        self = real.isFinite && !text.isWholeNumber ? .real(real) : Self.huge(text, real)
    }

    static func isHuge(_ text: String) -> Bool {
        if case .huge? = Array(text.utf8).withUnsafeBytes({ NumberText($0) }) { true } else { false }
    }

    private static func huge(_ text: UnsafeRawBufferPointer, _ nearest: Double) -> NumberText {
        let parts = text.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0].filter { $0 != UInt8(ascii: "-") }
        let exponent = parts.count > 1 ? min(Int(String(decoding: parts[1], as: UTF8.self)) ?? .max, .max / 2) : 0
        let digits = mantissa.filter { $0 != UInt8(ascii: ".") }
        let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
        let integral = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.count
        var significant = Array(digits.dropFirst(leading))
        while significant.last == UInt8(ascii: "0") { significant.removeLast() }
        return .huge(nearest, power: exponent + integral - leading, digits: significant)
    }

    /// How the first number compares with the second.
    static func order(_ a: NumberText, _ b: NumberText) -> FilterOperator.Orders {
        switch (a, b) {
        case (.whole(let a), .whole(let b)): return order(a, b)
        case (.whole, .huge(let b, _, _)): return order(0, b)
        case (.huge(let a, _, _), .whole): return order(a, 0)
        case (.huge(let a, let power, let digits), .huge(let b, let otherPower, let otherDigits)) where a == b:
            let (lower, upper): (FilterOperator.Orders, FilterOperator.Orders) = a < 0 ? (.greater, .less) : (.less, .greater)
            if power != otherPower { return power < otherPower ? lower : upper }
            return digits == otherDigits ? .equal : digits.lexicographicallyPrecedes(otherDigits) ? lower : upper
        default: return order(a.double, b.double)
        }
    }

    static func order<Number: Comparable>(_ a: Number, _ b: Number) -> FilterOperator.Orders { a < b ? .less : a == b ? .equal : .greater }

    var double: Double {
        switch self {
        case .whole(let value): Double(value)
        case .real(let value): value
        case .huge(let nearest, _, _): nearest
        }
    }
}
