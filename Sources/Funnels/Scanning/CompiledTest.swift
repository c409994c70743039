import TrackingEvents

/// A property test made ready to meet many values.
///
/// A class, so that to take one out of a list counts one reference and not that of each part.
final class CompiledTest: Sendable {
    private let property: PropertyReader
    private let comparison: FilterOperator
    private let value: [UInt8]
    private let number: NumberText?

    init(_ test: PropertyTest) {
        property = PropertyReader(path: test.path)
        comparison = test.comparison
        value = Array(test.value.utf8)
        number = value.withUnsafeBytes { NumberText($0) }
    }

    func holds(in properties: EventProperties) -> Bool { properties.withText(at: property) { $0.map(holds(for:)) ?? holdsWithoutValue } }

    var holdsWithoutValue: Bool { comparison.holdsWithoutValue }

    /// Whether the test holds for a text, a number as on the line, `true` or `false`, given as UTF-8 without quotes or escapes.
    func holds(for text: UnsafeRawBufferPointer) -> Bool {
        switch comparison.rule {
        case .text(let holds, _): value.withUnsafeBytes { holds(text, $0) }
        case .order(let orders): orders.contains(order(text))
        }
    }

    /// How `text` stands to the value.
    private func order(_ text: UnsafeRawBufferPointer) -> FilterOperator.Orders {
        if let number, let other = NumberText(text) { return NumberText.order(other, number) }
        if text.elementsEqual(value) { return .equal }
        return text.lexicographicallyPrecedes(value) ? .less : .greater
    }
}
