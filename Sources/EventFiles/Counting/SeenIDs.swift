/// The ids of all batches of events, of which only those are looked up that may have come before.
///
/// Ids that begin with their time (UUID version 7, RFC 9562) rise through a file. A batch of them mostly lies behind all batches before,
/// and then an id of it can only be repeated inside it. Such a batch waits as it came until another one overlaps it, and moves to the
/// set of those that are looked up then.
package struct SeenIDs: ~Copyable {
    private struct Waiting {
        let ids: [Fingerprint]
        let span: IDSpan
    }

    /// Of so many doubtful ids a batch is searched; with more it goes to the set at once.
    private static let mostDoubts = 64

    private var set = FingerprintSet()
    /// The span of the ids in the set; nothing that waits overlaps it.
    private var spanOfSet = IDSpan()
    /// Batches by rising ids, none overlapping another.
    private var waiting: [Waiting] = []

    package init() {}

    /// Adds the ids of a batch, those that are ``Fingerprint/none`` left out.
    ///
    /// - Parameters:
    ///   - span: where the ids lie.
    ///   - repeated: called with the place of each that is in an earlier batch or at an earlier place, by place.
    package mutating func insert(_ batch: [Fingerprint], in span: IDSpan, repeated: (Int) -> Void) {
        if span.isEmpty { return }
        var isApart = spanOfSet.isEmpty || spanOfSet.largest < span.smallest
        while let last = waiting.last, last.span.largest >= span.smallest {
            set.insert(last.ids) { _ in }
            spanOfSet.formUnion(last.span)
            waiting.removeLast()
            isApart = false
        }
        if isApart, let places = Self.repetitions(in: batch) {
            for place in places { repeated(place) }
            waiting.append(Waiting(ids: batch, span: span))
        } else {
            set.insert(batch, repeated: repeated)
            spanOfSet.formUnion(span)
        }
    }

    /// Makes room for so many ids that will not wait, where there are none yet.
    package mutating func reserve(_ expected: Int) { set.reserve(expected) }

    /// The places of the ids that stand at an earlier place, too; `nil` if it would take long to say.
    private static func repetitions(in batch: [Fingerprint]) -> [Int]? {
        var filter = FingerprintFilter(expecting: batch.count)
        var places: [Int] = []
        var doubts = 0
        for (place, id) in batch.enumerated() where !id.isNone && !filter.note(id) {
            doubts += 1
            if doubts > mostDoubts { return nil }
            if batch[..<place].contains(id) { places.append(place) } else { filter.noteAgain(id) }
        }
        return places
    }
}
