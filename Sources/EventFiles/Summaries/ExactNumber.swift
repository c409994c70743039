import Basics
internal import TrackingEvents

/// Numbers whose spelling on the line is the one that they are printed with, so that a column of numbers gives back the line's text.
enum ExactNumber {
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
        let value = JSONNumber.double(text)
        guard value.isFinite else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: JSONText.doubleBytes) { room in
            guard let base = room.baseAddress, JSONText.write(value, to: base) == text.count else { return nil }
            return room.prefix(text.count).elementsEqual(text) ? value : nil
        }
    }
}
