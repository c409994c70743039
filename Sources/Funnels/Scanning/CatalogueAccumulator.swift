import EventFiles

/// Adds up the events of one pass into an ``EventCatalogue``.
struct CatalogueAccumulator: ~Copyable {
    private let run: CatalogueRun
    private var names = NameTable()
    /// For each name, the entry that counts its events.
    private var rows: [EventCatalogue.Entry] = []
    /// Pairs of name and user, so that each user counts once for each name.
    private var pairs = FingerprintSet()

    init(_ run: CatalogueRun) { self.run = run }

    /// Takes the next batch, in the order of the data.
    mutating func take(_ batch: CatalogueBatch, duplicates: [Bool]) {
        let rowOfNumber = names.numbers(of: batch.names)
        for name in names.names[rows.count...] { rows.append(EventCatalogue.Entry(name: String(decoding: name, as: UTF8.self))) }
        for event in batch.nameNumbers.indices {
            if !duplicates.isEmpty && duplicates[event] { continue }
            if !run.range.contains(batch.times[event]) || !batch.leftOut.isEmpty && batch.leftOut[event] { continue }
            let row = rowOfNumber[Int(batch.nameNumbers[event])]
            rows[row].count += 1
            rows[row].firstMilliseconds = min(rows[row].firstMilliseconds, batch.times[event])
            rows[row].lastMilliseconds = max(rows[row].lastMilliseconds, batch.times[event])
            let user = batch.keys.all[Int(batch.keyNumbers[event])]
            if !user.isNone && pairs.insert(.of(Fingerprint(high: 0, low: UInt64(row)), user)) { rows[row].users += 1 }
        }
    }

    func catalogue(_ input: InputQuality, metaLines: Int, timingLines: Int) -> EventCatalogue {
        // A name has no entry if all its events were duplicates, at other times or left out.
        let entries = rows.filter { $0.count > 0 }.sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
        return EventCatalogue(
            entries: entries, metaLines: metaLines, timingLines: timingLines, range: run.range, cohort: run.cohort, input: input)
    }
}
