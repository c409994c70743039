/// A first-in, first-out queue.
///
/// - Complexity: amortised O(1) for each element, also for a million that are appended before the first is taken: taking one moves an
///   index, and the taken front is cut off when it is half of the storage.
@usableFromInline
package struct EventQueue<Element> {
    @usableFromInline var storage: ContiguousArray<Element?> = []
    @usableFromInline var head = 0

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { head == storage.count }
    @inlinable package var count: Int { storage.count - head }

    @inlinable
    package mutating func append(_ element: Element) { storage.append(element) }

    /// Puts an element before the others, in O(1) if one was taken since the last cut, else in O(n).
    mutating func prepend(_ element: Element) {
        if head == 0 {
            storage.insert(element, at: 0)
        } else {
            head -= 1
            storage[head] = element
        }
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        // Mostly a single element waits, and nothing is left to cut off.
        if storage.count == 1 { return storage.removeLast() }
        let element = storage[head].take()
        head += 1
        if head == storage.count {
            // Returns the memory of a burst and keeps that of everyday use.
            storage.removeAll(keepingCapacity: storage.count <= 1024)
            head = 0
        } else if head >= 1024 && head * 2 > storage.count {
            storage.removeSubrange(..<head)
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

    /// Takes all elements out. The deinit of one may run code, which then finds this queue empty.
    package mutating func removeAll() -> EventQueue {
        let all = self
        self = EventQueue()
        return all
    }
}
