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
                    let glance = try columns.glance(row, isRepeated: isRepeated)
                    if !columns.isMeta, batch.pass(glance) { continue }
                    batch.take(columns.event(row, glance))
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
            if let names = needs.names { wanted = (0..<name.textCount).map { names.contains(Array(name.text(numbered: $0))) } }
        }

        /// Whether the row that was glanced at is a meta line.
        private(set) var isMeta = false
        private var userText: UnsafeRawBufferPointer?
        private var idText: UnsafeRawBufferPointer?

        @inline(__always)
        mutating func glance(_ row: Int, isRepeated: Bool) throws(ParquetError) -> EventGlance {
            guard let milliseconds = time.integer(at: row), let number = name.textNumber(at: row) else {
                throw ParquetError(.malformed, at: 0, "a row without time or name")
            }
            userText = user.text(at: row)
            isMeta = type.advance(to: row)
            if id != nil { idText = id?.text(at: row) }
            let mark = idText.map { $0.isEmpty ? .none : Fingerprint.of($0) } ?? .none
            return EventGlance(
                time: milliseconds, nameCode: number, hasUser: userText.map { !$0.isEmpty } ?? false, isRepeated: isRepeated, id: mark)
        }

        /// All that is needed of the row that was glanced at.
        @inline(__always)
        mutating func event(_ row: Int, _ glance: EventGlance) -> EventHead {
            var event = EventHead(time: glance.time, name: name.text(numbered: glance.nameCode))
            event.nameCode = glance.nameCode
            event.isRepeated = glance.isRepeated
            if let userText { event.user = userText }
            if isMeta { event.kind = .meta }
            if let text = session?.text(at: row) { event.session = text }
            if let text = system?.text(at: row) { event.system = text }
            if let idText { event.id = idText }
            if let properties, wanted.isEmpty || wanted[glance.nameCode] { event.props = properties.json(of: row) }
            return event
        }
    }
}
