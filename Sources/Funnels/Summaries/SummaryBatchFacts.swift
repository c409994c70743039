import EventFiles

/// What a summary says of its segment besides its rows.
struct SummaryBatchFacts: Sendable {
    var badLines = 0
    var timingLines = 0
    /// Sequence numbers of all lines, those without a row among them.
    var runs: [SequenceRun] = []
    /// Whether the ids must be compared with those of other files. If not, rows that repeat an id say so.
    var comparesIDs = true
}
