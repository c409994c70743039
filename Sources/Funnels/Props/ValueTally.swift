import EventFiles

/// Counts values in bounded memory: exactly while there are few, beyond that those that are frequent.
///
/// When there are too many, as much as the least of those to be kept has is taken from all, and what has nothing left goes
/// (Misra and Gries 1982). So every count is too low by at most ``missed``, and no value that occurs more often than that is
/// lost.
struct ValueTally {
    struct Entry {
        var kind: PropertyCatalogue.Kind
        var text: [UInt8]
        var count: Int
    }

    private var entries: [Fingerprint: Entry] = [:]
    /// By how much a count may be too low.
    private(set) var missed = 0

    /// Adds what a batch has of a value; at most twice `limit` values are kept.
    mutating func add(_ value: PropertyBatch.Value, count: Int, limit: Int) {
        if entries[value.fingerprint]?.count == nil {
            entries[value.fingerprint] = Entry(kind: value.kind, text: value.text, count: 0)
        }
        entries[value.fingerprint]?.count += count
        if entries.count > limit * 2 { shrink(to: limit) }
    }

    private mutating func shrink(to limit: Int) {
        let taken = entries.values.map(\.count).sorted(by: >)[limit]
        missed += taken
        entries = entries.compactMapValues { entry in
            entry.count > taken ? Entry(kind: entry.kind, text: entry.text, count: entry.count - taken) : nil
        }
    }

    /// The most frequent values; among equally frequent ones by text. Those whose count could as well be chance are left out.
    func top(_ count: Int) -> [PropertyCatalogue.Value] {
        let frequent = entries.values.filter { $0.count > missed }.sorted { a, b in
            if a.count != b.count { return a.count > b.count }
            if a.text != b.text { return a.text.lexicographicallyPrecedes(b.text) }
            return a.kind.ordinal < b.kind.ordinal
        }
        return frequent.prefix(count).map { entry in
            PropertyCatalogue.Value(text: String(decoding: entry.text, as: UTF8.self), kind: entry.kind, count: entry.count)
        }
    }
}
