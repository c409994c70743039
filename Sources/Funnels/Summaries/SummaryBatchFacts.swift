import EventFiles

/// What a summary says of its segment besides its rows.
struct SummaryBatchFacts: Sendable {
    var badLines = 0
    var timingLines = 0
    /// Sequence numbers of all lines, those without a row among them. They are read with the rows.
    var runs: [SequenceRun] = []
    /// How many runs all files together have, and how many ids that are compared, to make room for.
    var expectedRuns = 0
    var expectedIDs = 0
    /// Whether the ids must be compared with those of other files. If not, rows that repeat an id say so.
    var comparesIDs = true

    /// For the batches behind a file's first.
    var withoutCounts: SummaryBatchFacts { SummaryBatchFacts(comparesIDs: comparesIDs) }
}
