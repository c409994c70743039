import Basics

import TrackingEvents

/// A property test made ready to meet many values.
///
/// A class, so that to take one out of a list counts one reference and not that of each part.
final class CompiledTest: Sendable {
    private let property: PropertyReader
    private let comparison: PropertyTest.Comparison
    private let value: [UInt8]
    private let number: NumberText?

    init(_ test: PropertyTest) {
        property = PropertyReader(path: test.path)
        comparison = test.comparison
        value = Array(test.value.utf8)
        number = value.withUnsafeBytes { NumberText($0) }
    }

    /// Whether the test holds for an event with these properties.
    func holds(in properties: UnsafeRawBufferPointer) -> Bool {
        property.withText(in: properties) { $0.map(holds(for:)) ?? holdsWithoutValue }
    }

    /// Whether the test holds where the property is missing, `null`, an object or an array.
    var holdsWithoutValue: Bool { comparison == .notEqual }

    /// Whether the test holds for a text, a number as on the line, `true` or `false`, given as UTF-8 without quotes or escapes.
    func holds(for text: UnsafeRawBufferPointer) -> Bool {
        switch comparison {
        case .contains: contains(text)
        case .equal: order(text) == 0
        case .notEqual: order(text) != 0
        case .less: order(text) < 0
        case .lessOrEqual: order(text) <= 0
        case .greater: order(text) > 0
        case .greaterOrEqual: order(text) >= 0
        }
    }

    /// Negative, zero or positive as `text` stands before, with or after the value.
    private func order(_ text: UnsafeRawBufferPointer) -> Int {
        if let number, let other = NumberText(text) { return NumberText.order(other, number) }
        return value.withUnsafeBytes { value in
            let common = min(text.count, value.count)
            if common > 0 {
                let difference = memcmp(text.baseAddress!, value.baseAddress!, common)
                if difference != 0 { return Int(difference) }
            }
            return text.count - value.count
        }
    }

    private func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        guard !value.isEmpty else { return true }
        guard text.count >= value.count else { return false }
        return value.withUnsafeBytes { value in
            (0...(text.count - value.count)).contains { memcmp(text.baseAddress! + $0, value.baseAddress!, value.count) == 0 }
        }
    }
}
