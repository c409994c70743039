import Basics
import EventFiles

/// Adds up the batches of one pass into a ``PropertyCatalogue``.
struct PropertyAccumulator: ~Copyable, BatchSum {
    private struct Row {
        var present = 0
        var kinds: [PropertyCatalogue.Kind: Int] = [:]
        var distinct = DistinctCounter()
        var values = ValueTally()
        var minimum: Double?
        var maximum: Double?
    }

    // The most that all keys may keep together, and the bounds of each key's equal share of that.
    private static let allFingerprints = 1 << 20
    private static let allValues = 1 << 18
    private static let fingerprints = 1024...16_384
    private static let values = 256...8192

    private let run: PropertyRun
    private var tally = BatchTally()
    private var names = SeenNames()
    private var paths = PathTable(limit: PropertyCatalogue.keyLimit)
    /// For each path what its values are.
    private var rows: [Row] = []
    private var events = 0
    private var isSeen = false
    /// Sessions that have been counted: the line that begins one may be repeated.
    private var sessions = FingerprintSet()
    private var hasMoreKeys = false

    init(_ run: PropertyRun) { self.run = run }

    var dependsOnOrder: Bool { hasMoreKeys }

    mutating func take(_ batch: PropertyBatch) {
        tally.take(batch.head)
        for name in batch.names { names.insert(name) }
        isSeen = isSeen || batch.names.contains(Array(run.name.utf8))
        let rowOfPath = paths.numbers(of: batch.paths)
        while rows.count < paths.paths.count { rows.append(Row()) }
        hasMoreKeys = hasMoreKeys || batch.paths.hasMore || paths.hasMore
        var counts = Array(repeating: 0, count: batch.values.count)
        for (index, event) in batch.events.enumerated() {
            guard run.isOfSessions ? sessions.insert(batch.sessions[index]) : !tally.isDuplicate(Int(event)) else { continue }
            events += 1
            for cell in batch.starts[index]..<batch.starts[index + 1] { counts[Int(batch.cells[Int(cell)])] += 1 }
        }
        for (value, count) in zip(batch.values, counts) where count > 0 {
            if let row = rowOfPath[value.path] { add(value, count, to: row) }
        }
    }

    private mutating func add(_ value: PropertyBatch.Value, _ count: Int, to row: Int) {
        rows[row].present += count
        rows[row].kinds[value.kind, default: 0] += count
        guard !value.fingerprint.isNone else { return }
        rows[row].distinct.insert(value.fingerprint, limit: Self.share(of: Self.allFingerprints, rows.count, Self.fingerprints))
        rows[row].values.add(value, count: count, limit: Self.share(of: Self.allValues, rows.count, Self.values))
        guard [.int, .double].contains(value.kind), let number = Double(String(decoding: value.text, as: UTF8.self)), number.isFinite
        else { return }
        rows[row].minimum = min(rows[row].minimum ?? number, number)
        rows[row].maximum = max(rows[row].maximum ?? number, number)
    }

    private static func share(of all: Int, _ keys: Int, _ bounds: ClosedRange<Int>) -> Int {
        min(max(all / max(keys, 1), bounds.lowerBound), bounds.upperBound)
    }

    consuming func answer(_ reading: ReadResult) -> PropertyCatalogue {
        let input = tally.finish(reading)
        let limit = Self.share(of: Self.allFingerprints, rows.count, Self.fingerprints)
        var keys: [PropertyCatalogue.Key] = []
        // A key that occurs in duplicates only does not count.
        for path in rows.indices where rows[path].present > 0 {
            var row = rows[path]
            row.distinct.shrink(to: limit)
            keys.append(
                PropertyCatalogue.Key(
                    path: paths.keys(of: path).keys, present: row.present, kinds: row.kinds, distinct: row.distinct.count,
                    isDistinctExact: row.distinct.isExact, minimum: row.minimum, maximum: row.maximum, top: row.values.top(max(run.top, 0)),
                    areTopExact: row.values.missed == 0))
        }
        keys.sort { $0.present != $1.present ? $0.present > $1.present : ExactText($0.title) < ExactText($1.title) }
        let unseen = isSeen ? nil : UnseenName(name: run.name, nearest: NearestName.find(run.name, in: names.texts.sorted()))
        return PropertyCatalogue(
            name: run.name, events: events, keys: keys, hasMoreKeys: hasMoreKeys, range: run.range, cohort: run.cohort, input: input,
            unseenName: unseen)
    }
}
