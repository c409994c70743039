import EventFiles
import ParquetFiles

extension SegmentSummary {
    /// The rows as the batches that the segment's lines would give: the same events, in the same order and portions.
    func batches<Batch: DecodedBatch>(
        _ needs: SummaryNeeds, _ found: SummaryBatchFacts, _ makeBatch: (Int) -> Batch
    ) throws(ParquetError) -> [Batch] {
        var facts = found
        if needs.countsLines { facts.runs = try sequenceRuns() }
        var batches: [Batch] = []
        var rest = self.facts.batches[...]
        var firstRow = 0
        for (group, count) in file.groupRows.enumerated() {
            var rows = try SummaryRows(self, needs, compared: facts.compared, group: group, firstRow: firstRow)
            var row = 0
            // A row group ends with a batch.
            while row < count {
                guard let size = rest.popFirst(), size <= count - row else {
                    throw ParquetError(.malformed, at: 0, "batches of lines do not fit the rows")
                }
                var batch = makeBatch(size)
                batch.adopt(batches.isEmpty ? facts : SummaryBatchFacts(compared: facts.compared))
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
