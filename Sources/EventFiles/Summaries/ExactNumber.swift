package import Basics
internal import TrackingEvents

/// Numbers whose spelling on the line is the one that they are printed with, so that a column of numbers gives back the line's text.
package enum ExactNumber {
    /// The number if the text is a whole one without point and exponent, as it would be printed.
    static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        guard text.count > first, text.count - first <= 19 else { return nil }
        // Neither 007 nor -0 would be printed.
        if text[first] == UInt8(ascii: "0") { return text.count == 1 ? 0 : nil }
        var value: UInt64 = 0
        for index in first..<text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ UInt64(digit)
        }
        if !isNegative { return Int64(exactly: value) }
        return value <= UInt64(Int64.max) ? -Int64(value) : nil
    }

    /// The number if printing it gives the text back.
    static func double(_ text: UnsafeRawBufferPointer) -> Double? {
        if let value = short(text) { return value }
        let value = JSONNumber.double(text)
        guard value.isFinite else { return nil }
        var printed = self.text(value)
        return printed.withUTF8 { $0.elementsEqual(text) } ? value : nil
    }

    /// How a number is printed: with the fewest digits that read back equal, and a point or an exponent.
    package static func text(_ value: Double) -> String { value.description }

    /// Appends a number as ``text(_:)`` gives it.
    package static func append(_ value: Double, to output: ByteBuffer) {
        let magnitude = abs(value)
        if magnitude >= 0.001, magnitude < mostShort {
            for decimals in 0..<powersOfTen.count {
                let digits = (magnitude * powersOfTen[decimals]).rounded()
                if digits >= mostShort { break }
                guard digits / powersOfTen[decimals] == magnitude else { continue }
                if value < 0 { output.append(UInt8(ascii: "-")) }
                return appendDecimal(UInt64(digits), decimals: decimals, to: output)
            }
        }
        output.append(text(value).utf8)
    }

    // Of decimals with at most 15 digits no two have the same nearest number, so one that reads back equal is the one with the fewest digits.
    // Both parts of the quotient are exact, so that it is the nearest number to the decimal.

    private static let mostShort = 1e15
    private static let powersOfTen = [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000]

    /// The number of a decimal that is printed as it stands here: at most 15 digits, no zero too many, no exponent. `nil` for any other text.
    private static func short(_ text: UnsafeRawBufferPointer) -> Double? {
        let isNegative = text.first == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        var digits: UInt64 = 0
        var point: Int?
        guard text.count - first >= 3, text.count - first <= 16 else { return nil }
        for index in first..<text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            if digit < 10 {
                digits = digits &* 10 &+ UInt64(digit)
            } else if text[index] == UInt8(ascii: "."), point == nil {
                point = index
            } else {
                return nil
            }
        }
        guard let point, point > first, point < text.count - 1, text[first] != UInt8(ascii: "0") || point == first + 1 else { return nil }
        let decimals = text.count - 1 - point
        guard decimals < powersOfTen.count, text[text.count - 1] != UInt8(ascii: "0") || decimals == 1 else { return nil }
        let magnitude = Double(digits) / powersOfTen[decimals]
        // Smaller ones are printed with an exponent, and of zero there are two.
        return magnitude < 0.001 ? nil : isNegative ? -magnitude : magnitude
    }

    private static func appendDecimal(_ digits: UInt64, decimals: Int, to output: ByteBuffer) {
        var whole = digits
        for _ in 0..<decimals { whole /= 10 }
        JSONText.append(Int64(whole), to: output)
        output.append(UInt8(ascii: "."))
        if decimals == 0 { return output.append(UInt8(ascii: "0")) }
        output.reserve(decimals)
        var rest = digits
        for index in stride(from: decimals - 1, through: 0, by: -1) {
            output.base[output.count + index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        output.advance(by: decimals)
    }
}
