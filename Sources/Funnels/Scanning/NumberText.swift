import TrackingEvents

/// A number as JSON writes it, compared without losing digits where both sides are whole, or beyond all doubles.
enum NumberText: Sendable {
    case whole(Int64)
    case real(Double)
    /// Beyond all doubles: ±0.`digits` × 10^`power`. The digits neither begin nor end with a zero.
    case huge(isNegative: Bool, power: Int, digits: [UInt8])

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
        self = real.isFinite ? .real(real) : Self.huge(text)
    }

    static func isHuge(_ text: String) -> Bool {
        if case .huge? = Array(text.utf8).withUnsafeBytes({ NumberText($0) }) { true } else { false }
    }

    private static func huge(_ text: UnsafeRawBufferPointer) -> NumberText {
        let parts = text.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0].filter { $0 != UInt8(ascii: "-") }
        let exponent = parts.count > 1 ? min(Int(String(decoding: parts[1], as: UTF8.self)) ?? .max, .max / 2) : 0
        let digits = mantissa.filter { $0 != UInt8(ascii: ".") }
        let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
        let integral = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.count
        var significant = Array(digits.dropFirst(leading))
        while significant.last == UInt8(ascii: "0") { significant.removeLast() }
        return .huge(isNegative: text.first == UInt8(ascii: "-"), power: exponent + integral - leading, digits: significant)
    }

    /// How the first number compares with the second.
    static func order(_ a: NumberText, _ b: NumberText) -> FilterOperator.Orders {
        switch (a, b) {
        case (.whole(let a), .whole(let b)): return order(a, b)
        case (.huge(let isNegative, let power, let digits), .huge(let isOther, let otherPower, let otherDigits))
        where isNegative == isOther:
            let (lower, upper): (FilterOperator.Orders, FilterOperator.Orders) = isNegative ? (.greater, .less) : (.less, .greater)
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
        case .huge(let isNegative, _, _): isNegative ? -.infinity : .infinity
        }
    }
}
