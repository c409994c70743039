/// A queue of items by simulated time. The earliest item comes first, and of items at the same time the one that was added first.
///
/// It is a binary heap: adding and taking an item are O(log n).
struct Agenda<Item> {
    private struct Entry {
        let time: Int64
        let order: UInt64
        let item: Item

        static func < (a: Entry, b: Entry) -> Bool { (a.time, a.order) < (b.time, b.order) }
    }

    private var heap: [Entry] = []
    private var added: UInt64 = 0

    mutating func add(_ item: Item, at time: Int64) {
        heap.append(Entry(time: time, order: added, item: item))
        added += 1
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func next() -> (time: Int64, item: Item)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if heap.isEmpty { return (first.time, first.item) }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] { least = child }
            if least == parent { return (first.time, first.item) }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}
