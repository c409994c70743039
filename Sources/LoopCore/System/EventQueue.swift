/// The events that wait for their turn, first in, first out.
///
/// Taking from the front moves an index and not the elements, so that a million events sent from within one step cost no more
/// each than one; the dead front is cut off when it is half of the storage.
@usableFromInline
package struct EventQueue<Element> {
    @usableFromInline var storage: ContiguousArray<Element?> = []
    @usableFromInline var head = 0

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { head == storage.count }
    @inlinable package var count: Int { storage.count - head }

    @inlinable
    package mutating func append(_ element: Element) { storage.append(element) }

    /// Puts an element before the others: O(1) where as many were taken from the front before, else O(n).
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
        let element = storage[head].take()
        head += 1
        if head == storage.count {
            // A burst's memory is given back, the usual few places are kept.
            storage.removeAll(keepingCapacity: storage.count <= 1024)
            head = 0
        } else if head >= 1024 && head * 2 > storage.count {
            storage.removeSubrange(..<head)
            head = 0
        }
        return element
    }

    /// The next to be taken.
    package var first: Element? { head < storage.count ? storage[head] : nil }

    /// Calls `body` with each that waits, in order.
    package func forEach(_ body: (Element) -> Void) {
        for place in head..<storage.count { if let element = storage[place] { body(element) } }
    }

    /// Drops everything and says how much that was.
    package mutating func removeAll() -> Int {
        defer {
            storage = []
            head = 0
        }
        return count
    }
}

/// An event on its way, with what its step will tell about the send.
@usableFromInline
package struct QueuedEvent<Event> {
    @usableFromInline package let event: Event
    @usableFromInline package let origin: SendOrigin
    /// On the system's clock; 0 where nobody asked for timing.
    @usableFromInline package let sentAt: UInt64
    /// Of an event that a feedback sent.
    @usableFromInline let place: QueuePlace<Event>?

    @inlinable
    init(event: Event, origin: SendOrigin, sentAt: UInt64, place: QueuePlace<Event>? = nil) {
        self.event = event
        self.origin = origin
        self.sentAt = sentAt
        self.place = place
    }
}
