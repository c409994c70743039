/// Reads JSON numbers (RFC 8259 §6). A parameter `text` is one such number and nothing else.
package enum JSONNumber {
    /// Where the number that begins at `start` ends; `nil` if none begins there.
    package static func end(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let (end, isNumber) = scan(bytes, from: start)
        return isNumber ? end : nil
    }

    /// Where the number that begins at `start` ends, and whether it is a number: if it is not, a digit is missing at that end.
    package static func scan(_ bytes: UnsafeRawBufferPointer, from start: Int) -> (end: Int, isNumber: Bool) {
        var offset = start
        func skipDigits() -> Bool {
            let first = offset
            while offset < bytes.count, isDigit(bytes[offset]) { offset += 1 }
            return offset > first
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "0") {
            offset += 1
        } else if !skipDigits() {
            return (offset, false)
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            if !skipDigits() { return (offset, false) }
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
            if !skipDigits() { return (offset, false) }
        }
        return (offset, true)
    }

    /// The number as an integer, if it is exactly one: `17`, and also `17.0` and `1.7e1`, which common tools write for whole numbers that
    /// they hold as doubles. `nil` if it has a fraction or needs more than 64 bits.
    package static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard let decimal = Decimal(text) else { return nil }
        if decimal.digits == 0 { return 0 }
        guard decimal.exponent >= 0, let magnitude = appending(decimal.exponent, to: decimal.digits) else { return nil }
        return Int64(exactly: decimal.isNegative ? -Int128(magnitude) : Int128(magnitude))
    }

    /// The number with this many zeros appended; `nil` beyond 64 bits.
    private static func appending(_ zeros: Int, to number: UInt64) -> UInt64? {
        if zeros > 19 { return nil }
        let (high, low) = number.multipliedFullWidth(by: (0..<zeros).reduce(1) { power, _ in power * 10 })
        return high == 0 ? low : nil
    }

    /// The double nearest to the number; infinite if it is out of range.
    package static func double(_ text: UnsafeRawBufferPointer) -> Double {
        // The digits and the power of ten are exact doubles here, so a single rounding gives the nearest double (Clinger 1990).
        if let decimal = Decimal(text), decimal.digits <= 1 << 53, decimal.exponent.magnitude <= 22 {
            let digits = Double(decimal.digits)
            let power = powersOfTen[Int(decimal.exponent.magnitude)]
            let value = decimal.exponent < 0 ? digits / power : digits * power
            return decimal.isNegative ? -value : value
        }
        return Double(String(decoding: text, as: UTF8.self)) ?? .nan
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// A number as a power of ten and digits without trailing zeros.
    private struct Decimal {
        var isNegative = false
        var digits: UInt64 = 0
        var exponent = 0

        /// `nil` if the digits do not fit 64 bits.
        init?(_ text: UnsafeRawBufferPointer) {
            var afterPoint = 0
            var inFraction = false
            /// Zeros that count only if another digit follows them.
            var zeros = 0
            isNegative = text.first == UInt8(ascii: "-")
            var index = isNegative ? 1 : 0
            while index < text.count {
                let byte = text[index]
                if byte == UInt8(ascii: ".") {
                    inFraction = true
                } else if JSONNumber.isDigit(byte) {
                    if inFraction { afterPoint += 1 }
                    if byte == UInt8(ascii: "0") {
                        if digits != 0 { zeros += 1 }
                    } else {
                        guard let shifted = JSONNumber.appending(zeros + 1, to: digits) else { return nil }
                        zeros = 0
                        let (sum, overflow) = shifted.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
                        if overflow { return nil }
                        digits = sum
                    }
                } else {
                    break
                }
                index += 1
            }
            exponent = zeros - afterPoint
            guard index < text.count else { return }
            let power = text[(index + 1)...]
            // A million is far beyond any double: larger exponents need not be told apart.
            let magnitude = power.drop { !JSONNumber.isDigit($0) }.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1_000_000) }
            exponent += power.first == UInt8(ascii: "-") ? -magnitude : magnitude
        }
    }
}
