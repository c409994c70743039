import Basics
internal import TrackingEvents

/// Recognizes numbers that stand on the line as this package prints them, so that a column of numbers gives back the line's text.
enum ExactNumber {
    /// The integer that is printed as this very text: not 007 or -0, and no number with a point or an exponent.
    static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
        // No printed integer of 64 bits is longer.
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
