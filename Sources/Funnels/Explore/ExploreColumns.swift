import Basics
import EventFiles
import ParquetFiles

/// Puts the events of a page in an order that says nothing new, and writes them as columns.
///
/// Users stand by the time of their first event, then by what they did; a user's events by time, then by what they are. So an order needs no
/// secret, costs no byte, and equal events give equal bytes whichever way they came.
struct ExploreColumns {
    private let events: ExploreEvents
    private var blocks: ExploreBlocks
    private let names: [[UInt8]]
    private let sessions: [Fingerprint]
    private let began: [Int: [ExploreEvents.Line]]
    /// For each name its number in the page.
    private var rankOfName: [Int] = []
    private var namesByRank: [Int] = []
    private var properties: [ExploreProperty] = []
    private var sessionProperties: [ExploreProperty] = []
    private var leftOut: [ExploreLeftOut] = []
    /// For each value its column and what stands there; `nil` for one that the page does not hold.
    private var cellOf: [(column: Int, code: UInt32)?] = []
    private var values = ExploreValues()
    /// For each name's number in the page the columns that it carries.
    private var columnsOfName: [[Int]] = []

    init(_ events: ExploreEvents, _ blocks: ExploreBlocks, names: [[UInt8]], sessions: [Fingerprint], began: [Int: [ExploreEvents.Line]]) {
        (self.events, self.blocks, self.names, self.sessions, self.began) = (events, blocks, names, sessions, began)
        var counts = Array(repeating: 0, count: names.count)
        for event in blocks.order { counts[Int(events.names[Int(event)])] += 1 }
        namesByRank = names.indices.filter { counts[$0] > 0 }.sorted { first, second in
            if counts[first] != counts[second] { return counts[first] > counts[second] }
            return names[first].lexicographicallyPrecedes(names[second])
        }
        rankOfName = Array(repeating: 0, count: names.count)
        for (rank, name) in namesByRank.enumerated() { rankOfName[name] = rank }
    }

    // MARK: Values

    /// Settles what stands for each value.
    mutating func fold(_ values: ExploreValues, by definition: ExploreDefinition) {
        self.values = values
        var uses = Array(repeating: 0, count: values.count)
        var users = ExploreUsers(values: values.count, listing: definition.minimumUsers)
        // Which block was last met in each session, so that its lines are noted once for each.
        var seen = Array(repeating: UInt32.max, count: sessions.count)
        func take(_ range: Range<Int>, of user: UInt32) {
            for event in blocks.order[range] {
                for value in events.values(of: Int(event)) {
                    uses[Int(value)] += 1
                    if user > 0 { users.note(Int(value), of: user) }
                }
                let session = events.sessions[Int(event)]
                guard session > 0, seen[Int(session) - 1] != user else { continue }
                seen[Int(session) - 1] = user
                for value in began[Int(session) - 1]?.flatMap(\.values) ?? [] where !values.text(Int(value)).isEmpty {
                    uses[Int(value)] += 1
                    if user > 0 { users.note(Int(value), of: user) }
                }
            }
        }
        take(blocks.nobody, of: 0)
        for (user, range) in zip(blocks.users, blocks.ranges) { take(range, of: user) }

        let folding = ExploreFolding(definition, values, uses: uses, users: users)
        (properties, sessionProperties, leftOut) = (folding.events, folding.sessions, folding.leftOut)
        cellOf = (0..<values.count).map { value in folding.columnOf[Int(values.pathOf[value])].map { ($0, folding.codeOf[value]) } }
        var carried = Array(repeating: Set<Int>(), count: namesByRank.count)
        for event in blocks.order {
            let name = rankOfName[Int(events.names[Int(event)])]
            for value in events.values(of: Int(event)) { if let cell = cellOf[Int(value)] { carried[name].insert(cell.column) } }
        }
        columnsOfName = carried.map { $0.sorted() }
        for (name, columns) in columnsOfName.enumerated() { for column in columns { properties[column].names.append(name) } }
    }

    // MARK: Order

    /// What an event is besides its time and its session, as numbers.
    private func encoded(_ event: Int) -> [UInt32] {
        let name = rankOfName[Int(events.names[event])]
        var row = [UInt32(name)] + columnsOfName[name].map { _ in 0 }
        for value in events.values(of: event) {
            guard let (column, code) = cellOf[Int(value)], let index = columnsOfName[name].firstIndex(of: column) else { continue }
            row[index + 1] = code
        }
        return row
    }

    /// Whether an event comes before another by time, then by what it is; `nil` where both are the same.
    private func isBefore(_ one: UInt32, _ other: UInt32) -> Bool? {
        let (time, otherTime) = (events.times[Int(one)], events.times[Int(other)])
        if time != otherTime { return time < otherTime }
        let (row, otherRow) = (encoded(Int(one)), encoded(Int(other)))
        return row == otherRow ? nil : row.lexicographicallyPrecedes(otherRow)
    }

    /// Whether its session comes before another's.
    private func isSessionBefore(_ one: UInt32, _ other: UInt32) -> Bool? {
        let (session, otherSession) = (session(of: one), session(of: other))
        return session == otherSession ? nil : (session.high, session.low) < (otherSession.high, otherSession.low)
    }

    private func session(of event: UInt32) -> Fingerprint {
        let number = events.sessions[Int(event)]
        return number == 0 ? .none : sessions[Int(number) - 1]
    }

    private mutating func sort(_ range: Range<Int>) {
        let isSorted = zip(range, range.dropFirst()).allSatisfy {
            events.times[Int(blocks.order[$0])] < events.times[Int(blocks.order[$1])]
        }
        if isSorted { return }
        let sorted = blocks.order[range].sorted { isBefore($0, $1) ?? isSessionBefore($0, $1) ?? false }
        blocks.order.replaceSubrange(range, with: sorted)
    }

    /// Whether a user's block comes before another's; both are sorted.
    private func isBefore(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        let pairs = zip(blocks.order[first], blocks.order[second])
        for (one, other) in pairs { if let isBefore = isBefore(one, other) { return isBefore } }
        if first.count != second.count { return first.count < second.count }
        // Both did the same at the same times: only their sessions differ.
        for (one, other) in pairs { if let isBefore = isSessionBefore(one, other) { return isBefore } }
        return false
    }

    // MARK: Columns

    /// Writes the columns; gives the users in the order of their blocks.
    ///
    /// - Parameter late: for sessions with lines that the page does not hold when the last of those was.
    mutating func write(to payload: inout ExplorePayload, late: [Fingerprint: Int64]) -> [UInt32] {
        sort(blocks.nobody)
        for range in blocks.ranges { sort(range) }
        let order = blocks.ranges.indices.sorted { isBefore(blocks.ranges[$0], blocks.ranges[$1]) }
        payload.base = blocks.order.map { events.times[Int($0)] }.min() ?? 0

        let (sizes, times, numbers, inSession) = (column(), column(), column(), column())
        let cells = properties.map { _ in column() }
        var row = Array(repeating: UInt32(0), count: properties.count)
        var (numberOf, met): ([UInt32: Int], [UInt32]) = ([:], [])
        var first = payload.base
        for range in [blocks.nobody] + order.map({ blocks.ranges[$0] }) {
            sizes.appendVarint(UInt64(range.count))
            var (time, session) = (first, UInt32(0))
            for (index, event) in zip(range, blocks.order[range].map { Int($0) }) {
                if index == range.lowerBound {
                    first = events.times[event]
                    times.appendZigzag(first - time)
                } else {
                    times.appendVarint(UInt64(events.times[event] - time))
                }
                time = events.times[event]
                let name = rankOfName[Int(events.names[event])]
                numbers.appendVarint(UInt64(name))
                let its = events.sessions[event]
                if its == session {
                    inSession.appendVarint(0)
                } else if its > 0, numberOf[its] == nil {
                    met.append(its)
                    numberOf[its] = met.count
                    inSession.appendVarint(1)
                } else {
                    inSession.appendVarint(UInt64((numberOf[its] ?? 0) + 2))
                }
                session = its
                for value in events.values(of: event) { if let cell = cellOf[Int(value)] { row[cell.column] = cell.code } }
                for column in columnsOfName[name] {
                    cells[column].appendVarint(UInt64(row[column]))
                    row[column] = 0
                }
            }
        }
        let columns =
            [("u", sizes), ("t", times), ("n", numbers), ("s", inSession)] + cells.enumerated().map { ("p\($0)", $1) }
            + [("x", contexts(of: met, from: payload.base))]
        payload.columns = columns.map { name, column in withExtendedLifetime(column) { (name, Array(column.bytes)) } }
        (payload.events, payload.users, payload.sessions) = (blocks.order.count, blocks.ranges.count, met.count)
        payload.late = self.late(met, late)
        payload.names = namesByRank.map { String(decoding: names[$0], as: UTF8.self) }
        (payload.properties, payload.sessionProperties, payload.leftOut) = (properties, sessionProperties, leftOut)
        return order.map { blocks.users[$0] }
    }

    /// The sessions that end later than their events do.
    private func late(_ sessions: [UInt32], _ late: [Fingerprint: Int64]) -> [(session: Int, time: Int64)] {
        guard !late.isEmpty else { return [] }
        var last = Array(repeating: Int64.min, count: self.sessions.count + 1)
        for event in blocks.order.lazy.map({ Int($0) }) {
            last[Int(events.sessions[event])] = max(last[Int(events.sessions[event])], events.times[event])
        }
        return sessions.enumerated().compactMap { index, session in
            late[self.sessions[Int(session) - 1]].flatMap { $0 > last[Int(session)] ? (index + 1, $0) : nil }
        }
    }

    private func column() -> ByteBuffer { ByteBuffer(capacity: 1024) }

    /// How sessions began: for each how many rows there are, and what stands in them.
    private func contexts(of sessions: [UInt32], from base: Int64) -> ByteBuffer {
        let column = column()
        var before = base
        for session in sessions {
            let rows = rows(of: began[Int(session) - 1] ?? [])
            column.appendVarint(UInt64(rows.count))
            for (time, codes) in rows {
                if rows.count > 1 {
                    column.appendZigzag(time - before)
                    before = time
                }
                for code in codes { column.appendVarint(UInt64(code)) }
            }
        }
        return column
    }

    /// The lines of a session by time. Those of one millisecond are one, as ``SessionContexts`` has it; one that says the same again is none.
    private func rows(of lines: [ExploreEvents.Line]) -> [(time: Int64, codes: [UInt32])] {
        var rows: [(time: Int64, codes: [UInt32])] = []
        var texts: [ArraySlice<UInt8>] = []
        var time: Int64?
        func finish(_ codes: [UInt32]) {
            guard let time, rows.last?.codes != codes else { return }
            rows.append((time, codes))
        }
        var codes: [UInt32] = []
        for line in lines.sorted(by: { $0.time < $1.time }) {
            let ofLine = min(max(line.time, -1 << 53), 1 << 53)
            if ofLine != time {
                finish(codes)
                time = ofLine
                codes = sessionProperties.map { _ in 0 }
                texts = sessionProperties.map { _ in [] }
            }
            for value in line.values {
                guard let cell = cellOf[Int(value)], texts[cell.column].lexicographicallyPrecedes(values.text(Int(value))) else { continue }
                (texts[cell.column], codes[cell.column]) = (values.text(Int(value)), cell.code)
            }
        }
        finish(codes)
        return rows
    }
}
