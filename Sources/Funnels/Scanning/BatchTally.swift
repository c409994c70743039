import EventFiles

/// Adds up what all batches have in common: duplicates, gaps, names, the quality of the input.
struct BatchTally: ~Copyable {
    private(set) var input = InputQuality()
    private(set) var metaLines = 0
    private(set) var timingLines = 0
    private var ids = FingerprintSet()
    private var sequences = SequenceLedger()
    /// What ``FingerprintSet/touch(_:)`` gave, kept so that it is not optimized away.
    private var touched: UInt64 = 0
    /// How many slots to fetch at a time: more than a processor has reads under way, and few enough to stay in its cache.
    private static let together = 64
    /// Whether each event of the last batch is a duplicate; empty if none is.
    private(set) var duplicates: [Bool] = []

    /// Takes the batches in the order of the data: of events with the same id the first counts.
    mutating func take(_ batch: BatchHead) {
        input.events += batch.events
        input.badLines += batch.badLines
        metaLines += batch.metaLines
        timingLines += batch.timingLines
        if batch.events > 0 {
            input.firstMilliseconds = min(input.firstMilliseconds ?? .max, batch.first)
            input.lastMilliseconds = max(input.lastMilliseconds ?? .min, batch.last)
        }
        if !duplicates.isEmpty { duplicates.removeAll(keepingCapacity: true) }
        batch.ids.withUnsafeBufferPointer { take($0) }
        batch.sequences.runs.withUnsafeBufferPointer { runs in
            for start in stride(from: 0, to: runs.count, by: Self.together) {
                let block = runs[start..<min(start + Self.together, runs.count)]
                touched &+= sequences.touch(block)
                for run in block { sequences.add(run) }
            }
        }
    }

    private mutating func take(_ batch: UnsafeBufferPointer<UInt64>) {
        for start in stride(from: 0, to: batch.count, by: Self.together) {
            let end = min(start + Self.together, batch.count)
            touched &+= ids.touch(batch[start..<end])
            for event in start..<end where batch[event] != 0 && !ids.insert(batch[event]) {
                if duplicates.isEmpty { duplicates = Array(repeating: false, count: batch.count) }
                duplicates[event] = true
                input.duplicates += 1
            }
        }
    }

    /// Counts the events of the last batch without a key, duplicates left out.
    mutating func count(missingIn keys: [UInt64]) -> Int {
        var missing = 0
        if duplicates.isEmpty {
            for key in keys where key == 0 { missing += 1 }
        } else {
            for (event, key) in keys.enumerated() where key == 0 && !duplicates[event] { missing += 1 }
        }
        return missing
    }

    /// The quality of all that was taken; `withoutKey` is for the caller to fill in.
    ///
    /// - Parameter report: of the reading that gave the batches.
    mutating func finish(_ report: ReadReport) -> InputQuality {
        input.files = report.files.count
        input.bytes = report.bytes
        input.badLines += report.longLines
        input.damagedMembers = report.damagedMembers
        input.sequenceGaps = sequences.gaps()
        return input
    }
}
