import Basics
import EventFiles

/// Adds up what all batches have in common: duplicates, gaps, days, the quality of the input.
struct BatchTally: ~Copyable {
    private(set) var input = InputQuality()
    private(set) var metaLines = 0
    private(set) var timingLines = 0
    /// How many events there are in each quarter of an hour.
    private(set) var days = DayCounts()
    /// Events without a user.
    private(set) var withoutUser = 0
    private var ids = SeenIDs()
    private var sequences = SequenceLedger()
    /// Whether each event of the last batch is a duplicate; empty if none is.
    private(set) var duplicates: [Bool] = []

    /// Takes the batches in the order of the data: of events with the same id the first counts.
    mutating func take(_ batch: BatchHead) {
        input.add(batch)
        metaLines += batch.metaLines
        timingLines += batch.timingLines
        if batch.events > 0 { days.add(batch.days) }
        if !duplicates.isEmpty { duplicates.removeAll(keepingCapacity: true) }
        var repeated = batch.repeated
        if batch.expectedIDs > 0 { ids.reserve(batch.expectedIDs) }
        ids.insert(batch.ids, in: batch.idSpan) { repeated.append($0) }
        if !repeated.isEmpty {
            duplicates = Array(repeating: false, count: batch.events)
            for event in repeated { duplicates[event] = true }
            input.duplicates += repeated.count
        }
        withoutUser += count(batch.withoutUser)
        if batch.expectedRuns > 0 { sequences.reserve(batch.expectedRuns) }
        sequences.add(batch.sequences.runs)
    }

    /// Whether an event of the last batch has the id of an event that came before.
    @inline(__always)
    func isDuplicate(_ event: Int) -> Bool { !duplicates.isEmpty && duplicates[event] }

    /// Counts some events of the last batch, duplicates left out.
    func count(_ events: [UInt32]) -> Int { duplicates.isEmpty ? events.count : events.count { !duplicates[Int($0)] } }

    /// The quality of all that was taken; `withoutKey` counts events without a user.
    mutating func finish(_ reading: ReadResult) -> InputQuality {
        input.add(reading)
        input.withoutKey = withoutUser
        input.sequenceGaps = sequences.finish().reduce(0) { $0.addingClamped($1.count) }
        return input
    }
}

extension InputQuality {
    /// Adds what a batch alone can tell. Duplicates and gaps show only in all batches together.
    mutating func add(_ batch: BatchHead) {
        events += batch.events
        badLines += batch.badLines
        sampleRate = min(sampleRate, batch.sampleRate)
        let stretches = batch.days.stretches
        if let first = stretches.first?.first, let last = stretches.last?.last { note(first: first, last: last) }
    }

    mutating func add(_ reading: ReadResult) {
        files += reading.files.count
        bytes += reading.bytes
        badLines += reading.longLines
        damagedMembers += reading.damagedMembers
    }

    mutating func note(first: Int64, last: Int64) {
        firstMilliseconds = min(firstMilliseconds ?? .max, first)
        lastMilliseconds = max(lastMilliseconds ?? .min, last)
    }
}
