/// The ids of all batches of events, of which only those are looked up that may have come before. Ids that begin with their time (UUID
/// version 7, RFC 9562) rise through a file. A batch of them mostly lies behind all batches before, and then an id of it can only be
/// repeated inside it. Such a batch waits as it came until another one reaches back to it, and moves to the set of those that are looked up
/// then. After an id far ahead, as of a wrong clock, all are looked up. 16 to 37 bytes for each id.
package struct SeenIDs: ~Copyable {
    private struct Waiting {
        let ids: [Fingerprint]
        let largest: UInt128
    }

    /// So many doubtful ids of a batch are searched for in it; with more, or with more ids, it goes to the set at once.
    private static let mostDoubts = 64
    private static let mostIDs = 100_000

    private var set = FingerprintSet()
    /// The largest beginning of an id in the set. A batch that waits may lie below, but has no id of the set.
    private var largestInSet: UInt128?
    /// Batches by rising ids, none overlapping another.
    private var waiting: [Waiting] = []

    package init() {}

    /// Adds the ids of a batch but ``Fingerprint/none``, all inside the span; passes on the index of each that came before, rising.
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

    /// Makes room for so many ids that will not wait, where there are none yet.
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

    /// The ids to keep: the batch as it is, unless much of its memory holds none.
    private static func ids(of batch: [Fingerprint]) -> [Fingerprint] {
        let count = batch.count { !$0.isNone }
        if count * 5 >= batch.capacity * 4 { return batch }
        var ids: [Fingerprint] = []
        ids.reserveCapacity(count)
        ids.append(contentsOf: batch.lazy.filter { !$0.isNone })
        return ids
    }
}
