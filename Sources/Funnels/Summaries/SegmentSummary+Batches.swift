import EventFiles
import ParquetFiles

extension SegmentSummary {
    /// The rows as batches. The segment's lines would give the same, in the same portions, unless a batch takes whole row groups.
    func batches<Batch: DecodedBatch>(
        _ needs: SummaryNeeds, _ found: SummaryBatchFacts, _ makeBatch: (Int) -> Batch
    ) throws(ParquetError) -> [Batch] {
        var facts = found
        var batches: [Batch] = []
        var rest = self.facts.batches[...]
        var firstRow = 0
        for (group, count) in file.groupRows.enumerated() {
            var rows = try SummaryRows(self, needs, compared: facts.compared, group: group, firstRow: firstRow)
            if needs.countsLines { facts.runs += try sequenceRuns(inGroup: group, rows.session?.owner) }
            var row = 0
            // A row group ends with a batch.
            while row < count {
                guard let size = Batch.takesWholeGroups ? count : rest.popFirst(), size <= count - row else {
                    throw ParquetError(.malformed, at: 0, "batches of lines do not fit the rows")
                }
                var batch = makeBatch(size)
                batch.adopt(facts)
                facts = SummaryBatchFacts(compared: facts.compared)
                rows.portion = row..<row + size
                batch.take(&rows)
                batches.append(batch)
                row += size
            }
            if let failure = rows.failure ?? rows.properties.failure { throw failure }
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
