import EventFiles
import ParquetFiles
import TrackingEvents

/// The rows of one row group of a summary, with the columns that a run looks at.
///
/// Rows are asked for by rising number: each with ``next()``, or only some of those that ``nextEvents()`` gives, with ``event(_:)``.
struct SummaryRows {
    /// The rows that are left of the current batch. ``next()`` and ``nextEvents()`` take rows from its beginning.
    var portion = 0..<0
    let times: [Int64]
    /// For each row, the number of its name.
    let nameCodes: [UInt32]
    /// For each row, the fingerprint of its id if that must be compared, else none; empty if no id must be.
    let ids: [Fingerprint]
    private let name: ColumnCursor
    private var user: ColumnCursor
    private var type: ColumnCursor
    private(set) var session: ColumnCursor?
    private var system: ColumnCursor?
    let properties: SummaryProperties
    /// Reads the column of ids. ``idTexts`` is that column once it was read, ``failure`` says why it could not be.
    private let readIDs: () throws(ParquetError) -> ColumnCursor
    private var idTexts: ColumnCursor?
    private(set) var failure: ParquetError?
    /// For each name, whether properties are looked at; empty if they are for all names.
    private var wanted: [Bool] = []
    /// The rows without a user, and those whose id an earlier row of the file has.
    var withoutUser: PassedRows
    var repeated: PassedRows

    /// - Parameter firstRow: the number of the group's first row in the file.
    init(_ summary: SegmentSummary, _ needs: SummaryNeeds, compared: ComparedIDs, group: Int, firstRow: Int) throws(ParquetError) {
        func values(_ column: SummaryColumn) throws(ParquetError) -> ColumnValues {
            guard let index = summary.file.column(named: column.rawValue) else {
                throw ParquetError(.malformed, at: 0, "there is no column \(column.rawValue)")
            }
            return try summary.file.values(ofColumn: index, inGroup: group)
        }
        func cursor(_ column: SummaryColumn) throws(ParquetError) -> ColumnCursor { ColumnCursor(try values(column)) }
        let rows = summary.file.groupRows[group]
        name = try cursor(.name)
        // Sums of times that lines can have do not overflow.
        guard let times = try cursor(.time).allIntegers, let nameCodes = name.allTextNumbers, times.count == rows, nameCodes.count == rows,
            times.reduce(0, { max($0, $1.magnitude) }) <= EventLineLimits.integerMagnitude.magnitude
        else { throw ParquetError(.malformed, at: 0, "a row without a name, or without a time that a line can have") }
        (self.times, self.nameCodes) = (times, nameCodes)
        user = try cursor(.user)
        withoutUser = PassedRows(user.rowsWithoutText(rows))
        type = try cursor(.type)
        session = needs.session ? try cursor(.session) : nil
        system = needs.system ? try cursor(.system) : nil
        var ids: [Fingerprint] = []
        let repeated = summary.facts.ids.repeated.map { $0 - firstRow }.filter { (0..<rows).contains($0) }
        self.repeated = PassedRows(repeated)
        if !compared.isNone {
            ids = Array(repeating: .none, count: rows)
            let values = try values(.id)
            guard case .texts(let texts, let codes) = values.storage else { throw ParquetError(.malformed, at: 0, "ids are no texts") }
            for (number, code) in codes.enumerated() where !texts[Int(code)].isEmpty {
                let id = Fingerprint.of(texts[Int(code)])
                if compared.contains(id) { ids[values.present.map { Int($0[number]) } ?? number] = id }
            }
            // Repeated ids are counted already.
            for row in repeated { ids[row] = .none }
        }
        self.ids = ids
        readIDs = { () throws(ParquetError) in try cursor(.id) }
        properties = try SummaryProperties(summary, paths: needs.paths, group: group)
        if let names = needs.names { wanted = (0..<name.textCount).map { names.contains(Array(name.text(numbered: $0))) } }
    }

    var nameCount: Int { name.textCount }

    /// The next row of the portion; `nil` after its last row.
    @inline(__always)
    mutating func next() -> EventHead? {
        guard let row = portion.first else { return nil }
        portion = row + 1..<portion.upperBound
        var event = event(row)
        if type.advance(to: row) { event.kind = .meta } else { repeated.pass(row..<row + 1) { _ in event.isRepeated = true } }
        return event
    }

    /// The rows of the portion before its next meta line: all of them are events. ``next()`` then gives the meta line.
    @inline(__always)
    mutating func nextEvents() -> Range<Int> {
        let end = type.firstRow(from: portion.lowerBound, before: portion.upperBound)
        defer { portion = end..<portion.upperBound }
        return portion.lowerBound..<end
    }

    /// Takes the next rows from a range, and gives those whose name is wanted: 1, not 0. `nil` if the range is empty. A sum stands in
    /// place of a branch, because no processor foresees a row's name.
    func next(of range: inout Range<Int>, named isWanted: [UInt8]) -> [Int]? {
        let block = range.prefix(1024)
        range = block.upperBound..<range.upperBound
        if block.isEmpty { return nil }
        return [Int](unsafeUninitializedCapacity: block.count) { rows, kept in
            var count = 0
            for row in block {
                rows[count] = row
                count &+= Int(isWanted[Int(nameCodes[row])])
            }
            kept = count
        }
    }

    /// For each different user, by ``userNumber(_:)``, whether a condition holds.
    func users(_ condition: (Fingerprint) -> Bool) -> [Bool] { (0..<user.textCount).map { condition(.of(user.text(numbered: $0))) } }

    @inline(__always)
    mutating func userNumber(_ row: Int) -> Int? { user.textNumber(at: row) }

    /// For each different session, by ``sessionNumber(_:)``, whether a condition holds; `nil` if sessions were not read.
    func sessions(_ condition: (Fingerprint) -> Bool) -> [Bool]? {
        session.map { session in (0..<session.textCount).map { condition(.of(session.text(numbered: $0))) } }
    }

    @inline(__always)
    mutating func sessionNumber(_ row: Int) -> Int? { session?.textNumber(at: row) }

    /// The text of a row's id; empty without one. The first call reads the column: many row groups have no event of the person asked for.
    mutating func idText(_ row: Int) -> UnsafeRawBufferPointer {
        if idTexts == nil, failure == nil { do throws(ParquetError) { idTexts = try readIDs() } catch { failure = error } }
        return idTexts?.text(at: row) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// All that is wanted of a row, except its kind and whether it repeats an id.
    @inline(__always)
    mutating func event(_ row: Int) -> EventHead {
        let code = Int(nameCodes[row])
        var event = EventHead(time: times[row], name: name.text(numbered: code))
        event.nameCode = code
        if let code = userNumber(row) { (event.userCode, event.user) = (code, user.text(numbered: code)) }
        if let code = sessionNumber(row), let text = session?.text(numbered: code) { (event.sessionCode, event.session) = (code, text) }
        if system != nil, let text = system?.text(at: row) { event.system = text }
        if !ids.isEmpty { event.id = ids[row] }
        event.properties = properties(row)
        return event
    }

    @inline(__always)
    func properties(_ row: Int) -> EventProperties {
        guard wanted.isEmpty || wanted[Int(nameCodes[row])] else { return EventProperties() }
        return EventProperties(properties, row: row)
    }
}

/// Some rows of a group, each passed once, by rising number.
struct PassedRows {
    private var rest: ArraySlice<Int>

    init(_ rows: [Int]) { rest = rows[...] }

    /// Passes the rows that lie in a range. Ranges must come in rising order.
    @inline(__always)
    mutating func pass(_ range: Range<Int>, _ body: (Int) -> Void) {
        while let row = rest.first, row < range.upperBound {
            rest.removeFirst()
            if row >= range.lowerBound { body(row) }
        }
    }
}
