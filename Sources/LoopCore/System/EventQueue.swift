/// A first-in, first-out queue.
///
/// - Complexity: amortised O(1) for each element, even if a million are appended before the first is taken: taking one moves an index, and
///   the taken front is cut off when it is more than half of the storage and at least 1,024 elements.
@usableFromInline
package struct EventQueue<Element> {
    @usableFromInline var storage: ContiguousArray<Element?> = []
    @usableFromInline var head = 0

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { head == storage.count }
    @inlinable package var count: Int { storage.count - head }

    @inlinable
    package mutating func append(_ element: Element) { storage.append(element) }

    /// Puts elements before the others. Where the front has no room, the storage more than doubles: each costs amortised O(1).
    package mutating func prepend(_ elements: [Element]) {
        if head < elements.count {
            let room = elements.count + storage.count
            storage.insert(contentsOf: repeatElement(nil, count: room), at: 0)
            head += room
        }
        head -= elements.count
        for (index, element) in elements.enumerated() { storage[head + index] = element }
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        // Mostly a single element waits, and nothing is left to cut off.
        if storage.count == 1 { return storage.removeLast() }
        let element = storage[head].take()
        head += 1
        if head == storage.count {
            storage.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024 && head * 2 > storage.count {
            // A new storage returns the memory of a burst; the old one would keep it.
            storage = ContiguousArray(storage[head...])
            head = 0
        }
        return element
    }

    package var elements: [Element] { storage[head...].map { $0! } }

    @inlinable package var first: Element? { head < storage.count ? storage[head] : nil }

    /// The element that is taken after `index` others.
    subscript(_ index: Int) -> Element { storage[head + index]! }

    /// Takes an element out from between the others, in O(n).
    mutating func remove(at index: Int) -> Element { storage.remove(at: head + index)! }

    mutating func removeAll(where condition: (Element) -> Bool) -> [Element] {
        var others = EventQueue()
        var removed: [Element] = []
        forEach { if condition($0) { removed.append($0) } else { others.append($0) } }
        self = others
        return removed
    }

    package func forEach(_ body: (Element) -> Void) { for element in storage[head...] { body(element!) } }

    /// Takes all elements out. Code in the deinit of an element finds this queue empty.
    package mutating func removeAll() -> EventQueue { exchange(&self, with: EventQueue()) }
}
