import TrackingEvents

/// A property test that is prepared for many values. A class, for the reason that ``CompiledFunnel/Single`` is one.
final class CompiledTest: Sendable {
    let property: PropertyReader
    private let comparison: FilterOperator
    private let value: [UInt8]
    private let number: NumberText?
    /// The number that values are compared with, and the orders that hold; `nil` unless the test is one of order with a number.
    private let bar: (double: Double, orders: FilterOperator.Orders)?

    init(_ test: PropertyTest) {
        property = PropertyReader(path: test.path)
        comparison = test.comparison
        value = Array(test.value.utf8)
        number = value.withUnsafeBytes { NumberText($0) }
        if case .order(let orders) = comparison.rule, let number { bar = (number.double, orders) } else { bar = nil }
    }

    func holds(in properties: EventProperties) -> Bool {
        properties.holds(self) ?? properties.withText(at: property) { $0.map(holds(for:)) ?? holdsWithoutValue }
    }

    var holdsWithoutValue: Bool { comparison.holdsWithoutValue }

    /// Whether the test holds for a text, a number as on the line, `true` or `false`, given as UTF-8 without quotes or escapes.
    func holds(for text: UnsafeRawBufferPointer) -> Bool {
        switch comparison.rule {
        case .text(let holds, _): value.withUnsafeBytes { holds(text, $0) }
        case .order(let orders): orders.contains(order(text))
        }
    }

    /// Whether the test holds for a number; `nil` where its text is needed, for example from 2⁵³ on, where doubles skip whole numbers.
    func holds(for number: Double) -> Bool? {
        guard let bar, number.magnitude < 0x1p53 else { return nil }
        return bar.orders.contains(NumberText.order(number, bar.double))
    }

    /// How `text` compares with the value.
    private func order(_ text: UnsafeRawBufferPointer) -> FilterOperator.Orders {
        if let number, let other = NumberText(text) { return NumberText.order(other, number) }
        if text.elementsEqual(value) { return .equal }
        return text.lexicographicallyPrecedes(value) ? .less : .greater
    }
}
