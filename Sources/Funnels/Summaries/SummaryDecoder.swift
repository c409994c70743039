import EventFiles
import ParquetFiles

/// Turns the rows of one summary into the batches that its segment's lines would give: the same events, in the same order and portions.
struct SummaryDecoder {
    let summary: SegmentSummary
    let needs: SummaryNeeds
    let facts: SummaryBatchFacts

    func batches<Batch: DecodedBatch>(_ makeBatch: (Int) -> Batch) throws(ParquetError) -> [Batch] {
        var facts = facts
        if needs.countsLines { facts.runs = try summary.sequenceRuns() }
        var batches: [Batch] = []
        var rest = summary.facts.batches[...]
        var firstRow = 0
        for (group, count) in summary.file.groupRows.enumerated() {
            var rows = try SummaryRows(self, group: group, firstRow: firstRow)
            var row = 0
            // A row group ends with a batch.
            while row < count {
                guard let size = rest.popFirst(), size <= count - row else {
                    throw ParquetError(.malformed, at: 0, "batches of lines do not fit the rows")
                }
                var batch = makeBatch(size)
                batch.adopt(batches.isEmpty ? facts : facts.withoutCounts)
                rows.portion = row..<row + size
                batch.take(&rows)
                batches.append(batch)
                row += size
            }
            firstRow += count
        }
        if batches.isEmpty {
            var batch = makeBatch(0)
            batch.adopt(facts)
            batches.append(batch)
        }
        return batches
    }
}
