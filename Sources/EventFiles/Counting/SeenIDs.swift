/// Finds repeated ids in the batches of events, and looks up only ids that may have come before. Ids that begin with their time (UUID
/// version 7, RFC 9562) rise through a file. Mostly all ids of a batch are above those of the batches before, and then an id can only be
/// repeated inside the batch. Such a batch is kept as it came. Once a later batch reaches back to it, its ids move to the set in which ids
/// are looked up. After an id far ahead, as a wrong clock makes it, all ids are looked up. 16 to 37 bytes for each id.
package struct SeenIDs: ~Copyable {
    private struct Waiting {
        let ids: [Fingerprint]
        let largest: UInt128
    }

    /// A batch with more ids, or with more doubtful ones, goes to the set at once: to search the batch for each of those would take long.
    private static let mostDoubts = 64
    private static let mostIDs = 100_000

    private var set = FingerprintSet()
    /// The largest beginning of an id in the set. Batches in ``waiting`` may have smaller ids, but none that is in the set.
    private var largestInSet: UInt128?
    /// Batches that are kept apart, by rising ids, none overlapping another.
    private var waiting: [Waiting] = []

    package init() {}

    /// Adds the ids of a batch except ``Fingerprint/none``, all inside the span. Passes to `repeated`, rising, the index of each known id.
    package mutating func insert(_ batch: [Fingerprint], in span: IDSpan, repeated: (Int) -> Void) {
        if span.isEmpty { return }
        var isApart = largestInSet.map { $0 < span.smallest } ?? true
        while let last = waiting.last, last.largest >= span.smallest {
            set.insert(last.ids) { _ in }
            largestInSet = max(largestInSet ?? 0, last.largest)
            waiting.removeLast()
            isApart = false
        }
        if isApart, let indices = Self.repetitions(in: batch) {
            for index in indices { repeated(index) }
            waiting.append(Waiting(ids: Self.ids(of: batch), largest: span.largest))
        } else {
            set.insert(batch, repeated: repeated)
            largestInSet = max(largestInSet ?? 0, span.largest)
        }
    }

    /// Makes room for so many ids in the set, if it is empty.
    package mutating func reserve(_ expected: Int) { set.reserve(expected) }

    /// The indices of the ids that stand earlier in the batch, too; `nil` if it would take long to say.
    private static func repetitions(in batch: [Fingerprint]) -> [Int]? {
        if batch.count > mostIDs { return nil }
        var filter = FingerprintFilter(expecting: batch.count)
        var indices: [Int] = []
        var doubts = 0
        for (index, id) in batch.enumerated() where !id.isNone && !filter.note(id) {
            doubts += 1
            if doubts > mostDoubts { return nil }
            if batch[..<index].contains(id) { indices.append(index) } else { filter.note(id, evenTwice: true) }
        }
        return indices
    }

    /// The ids to keep: the batch as it is, unless more than a fifth of its memory holds no id.
    private static func ids(of batch: [Fingerprint]) -> [Fingerprint] {
        let count = batch.count { !$0.isNone }
        if count * 5 >= batch.capacity * 4 { return batch }
        var ids: [Fingerprint] = []
        ids.reserveCapacity(count)
        ids.append(contentsOf: batch.lazy.filter { !$0.isNone })
        return ids
    }
}
