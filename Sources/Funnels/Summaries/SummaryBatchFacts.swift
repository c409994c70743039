import EventFiles

/// What a summary says of its segment besides its rows.
struct SummaryBatchFacts: Sendable {
    var badLines = 0
    var timingLines = 0
    /// Sequence numbers of all lines, also of those without a row. They are read with the rows.
    var runs: [SequenceRun] = []
    /// How many runs all files together have, and how many ids that must be compared, so that room can be made for them at once.
    var expectedRuns = 0
    var expectedIDs = 0
    /// Which ids must be compared with those of other files. Rows that repeat an id of their own file say so themselves.
    var compared = ComparedIDs.all
}
