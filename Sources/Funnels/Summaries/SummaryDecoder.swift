import EventFiles
import ParquetFiles

/// Turns the rows of one summary into the batches that its segment's lines would give: the same events, in the same order and portions.
struct SummaryDecoder {
    let summary: SegmentSummary
    let needs: SummaryNeeds
    let facts: SummaryBatchFacts

    func batches<Batch: DecodedBatch>(_ makeBatch: (Int) -> Batch) throws(ParquetError) -> [Batch] {
        var batches: [Batch] = []
        var rest = summary.facts.batches[...]
        var firstRow = 0
        var repeated = summary.facts.ids.repeated[...]
        for (group, rows) in summary.file.groupRows.enumerated() {
            var columns = try Columns(self, group: group)
            var row = 0
            // A row group ends with a batch.
            while row < rows {
                guard let size = rest.popFirst(), size <= rows - row else {
                    throw ParquetError(.malformed, at: 0, "batches of lines do not fit the rows")
                }
                var batch = makeBatch(size)
                var first = facts
                if !batches.isEmpty { first = SummaryBatchFacts(comparesIDs: facts.comparesIDs) }
                batch.adopt(first)
                for row in row..<row + size {
                    var isRepeated = false
                    if !facts.comparesIDs, repeated.first == firstRow + row {
                        repeated.removeFirst()
                        isRepeated = true
                    }
                    try columns.withEvent(row) { event in
                        event.isRepeated = isRepeated
                        batch.take(event)
                    }
                }
                batches.append(batch)
                row += size
            }
            firstRow += rows
        }
        if batches.isEmpty {
            var batch = makeBatch(0)
            batch.adopt(facts)
            batches.append(batch)
        }
        return batches
    }

    /// The columns of one row group that are needed.
    private struct Columns {
        private var time: ColumnCursor
        private var name: ColumnCursor
        private var user: ColumnCursor
        private var type: ColumnCursor
        private var session: ColumnCursor?
        private var system: ColumnCursor?
        private var id: ColumnCursor?
        private let properties: SummaryProperties?
        /// For each name of the dictionary whether properties are looked at; empty for any.
        private var wanted: [Bool] = []

        init(_ decoder: SummaryDecoder, group: Int) throws(ParquetError) {
            let (summary, needs) = (decoder.summary, decoder.needs)
            func cursor(_ column: SummaryColumn) throws(ParquetError) -> ColumnCursor {
                guard let place = summary.file.column(named: column.rawValue) else {
                    throw ParquetError(.malformed, at: 0, "there is no column \(column.rawValue)")
                }
                return ColumnCursor(try summary.file.values(ofColumn: place, inGroup: group))
            }
            time = try cursor(.time)
            name = try cursor(.name)
            user = try cursor(.user)
            type = try cursor(.type)
            session = needs.session ? try cursor(.session) : nil
            system = needs.system ? try cursor(.system) : nil
            id = decoder.facts.comparesIDs ? try cursor(.id) : nil
            properties = needs.paths?.isEmpty ?? false ? nil : try SummaryProperties(summary, paths: needs.paths, group: group)
            if let names = needs.names, case .texts(let texts, _) = name.values.storage {
                wanted = (0..<texts.count).map { names.contains(Array(texts[$0])) }
            }
        }

        @inline(__always)
        mutating func withEvent(_ row: Int, _ body: (inout EventHead) -> Void) throws(ParquetError) {
            guard let milliseconds = time.integer(at: row), name.advance(to: row), case .texts(let names, let places) = name.values.storage
            else { throw ParquetError(.malformed, at: 0, "a row without time or name") }
            let number = Int(places[name.place])
            var event = EventHead(time: milliseconds, name: names[number])
            if let text = user.text(at: row) { event.user = text }
            if type.advance(to: row) { event.kind = .meta }
            if let text = session?.text(at: row) { event.session = text }
            if let text = system?.text(at: row) { event.system = text }
            if let text = id?.text(at: row) { event.id = text }
            if let properties, wanted.isEmpty || wanted[number] { event.props = properties.json(of: row) }
            body(&event)
        }
    }
}
