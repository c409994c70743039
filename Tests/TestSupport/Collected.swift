/// Collects elements from closures that the tested code calls, on any thread.
package final class Collected<Element: Sendable>: Sendable {
    private let elements = Announced<[Element]>([])

    package init() {}

    package var all: [Element] { elements.value }
    package func add(_ element: Element) { elements.change { $0.append(element) } }
    package func until(count: Int) async { await until { $0.count >= count } }
    package func until(_ holds: @escaping @Sendable ([Element]) -> Bool) async { await elements.until(holds) }
}
