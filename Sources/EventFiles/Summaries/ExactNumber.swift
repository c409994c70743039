import Basics
internal import TrackingEvents

/// Numbers whose spelling on the line is the one that they are printed with, so that a column of numbers gives back the line's text.
enum ExactNumber {
    /// The number if the text is a whole one without point and exponent, as it would be printed: neither 007 nor -0 is.
    static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
        // Most numbers have few digits, and no text of more is a number of 64 bits.
        guard text.count <= JSONText.integerBytes, let value = JSONNumber.integer(text) else { return nil }
        return isPrinted(text) { JSONText.write(value, to: $0) } ? value : nil
    }

    static func double(_ text: UnsafeRawBufferPointer) -> Double? {
        let value = JSONNumber.double(text)
        return value.isFinite && isPrinted(text) { JSONText.write(value, to: $0) } ? value : nil
    }

    private static func isPrinted(_ text: UnsafeRawBufferPointer, _ write: (UnsafeMutablePointer<UInt8>) -> Int) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: JSONText.doubleBytes) { room in
            guard let base = room.baseAddress, write(base) == text.count else { return false }
            return room.prefix(text.count).elementsEqual(text)
        }
    }
}
