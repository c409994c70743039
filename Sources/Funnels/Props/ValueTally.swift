import Basics
import EventFiles

/// Counts values in bounded memory: exactly while there are few, beyond that only frequent ones, with counts that may be too low.
///
/// When there are too many, the count of the most frequent one beyond the limit is subtracted from all, and values with nothing left are
/// dropped (Misra and Gries 1982). So every count is too low by at most ``missed``, and no value that occurs more often than that is lost.
struct ValueTally {
    private var entries: [Fingerprint: PropertyCatalogue.Value] = [:]
    /// By how much a count may be too low.
    private(set) var missed = 0

    /// Adds what a batch has of a value; at most twice `limit` values are kept.
    mutating func add(_ value: PropertyBatch.Value, count: Int, limit: Int) {
        let new = PropertyCatalogue.Value(text: String(decoding: value.text, as: UTF8.self), kind: value.kind, count: 0)
        entries[value.fingerprint, default: new].count += count
        if entries.count > limit * 2 { shrink(to: limit) }
    }

    private mutating func shrink(to limit: Int) {
        let taken = entries.values.map(\.count).sorted(by: >)[limit]
        missed += taken
        entries = entries.filter { $0.value.count > taken }
        for key in entries.keys { entries[key]?.count -= taken }
    }

    /// The most frequent values, equal ones by text. Values counted at most ``missed`` times are left out: a lost one may be as frequent.
    func top(_ count: Int) -> [PropertyCatalogue.Value] {
        let frequent = entries.values.filter { $0.count > missed }.sorted { a, b in
            (b.count, ExactText(a.text), a.kind.ordinal) < (a.count, ExactText(b.text), b.kind.ordinal)
        }
        return Array(frequent.prefix(count))
    }
}
