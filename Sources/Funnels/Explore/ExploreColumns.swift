import Basics
import EventFiles
import ParquetFiles

/// Puts the events of a page in an order that reveals nothing but the events, and writes them as columns.
///
/// Users are sorted by the time of their first event, then by what they did; a user's events by time, then by what they are. Such an order
/// needs no secret and no byte of the page, and equal events give equal bytes whatever order they were read in.
struct ExploreColumns {
    private let events: ExploreEvents
    /// For each user's number the events that the page holds; those without a user come first.
    private var blocks: [[UInt32]]
    private let names: [[UInt8]]
    private let sessions: [Fingerprint]
    private let began: [[SessionRow<[UInt32]>]]
    private let values: ValueTable
    private let folding: ExploreFolding
    /// For each name its number in the page.
    private var rankOfName: [Int]
    private let namesByRank: [Int]
    /// For each value its column and its code there; `nil` for a value that the page does not hold.
    private let cellOf: [(column: Int, code: UInt32)?]
    /// For each name's number in the page, the columns that events of that name have.
    private let columnsOfName: [[Int]]

    init(
        _ events: ExploreEvents, _ blocks: [[UInt32]], names: [[UInt8]], sessions: [Fingerprint], began: [[SessionRow<[UInt32]>]],
        _ values: ValueTable, by definition: ExploreDefinition
    ) {
        (self.events, self.blocks, self.names, self.sessions, self.began) = (events, blocks, names, sessions, began)
        self.values = values
        var counts = Array(repeating: 0, count: names.count)
        // A row of bits for each name, one bit a path; the last row is that of sessions.
        let words = (values.paths.paths.count + 63) / 64
        var carried = Array(repeating: UInt64(0), count: (names.count + 1) * words)
        var uses = ExploreUses(values, listing: definition.minimumUsers)
        func note(_ value: Int, of user: Int, in row: Int) {
            uses.note(value, of: UInt32(user))
            let path = Int(values.pathOf[value])
            carried[row * words + path / 64] |= 1 << UInt64(path % 64)
        }
        // For each session the last block in which it was met, so that its lines are noted once for each user.
        var seen = Array(repeating: -1, count: sessions.count)
        for (user, block) in blocks.enumerated() {
            for event in block.lazy.map({ Int($0) }) {
                counts[Int(events.names[event])] += 1
                for value in events.values(of: event) { note(Int(value), of: user, in: Int(events.names[event])) }
                let session = Int(events.sessions[event])
                guard session > 0, seen[session] != user else { continue }
                seen[session] = user
                for line in began[session] {
                    for value in line.values { note(Int(value), of: user, in: names.count) }
                }
            }
        }
        namesByRank = names.indices.filter { counts[$0] > 0 }.sorted { first, second in
            if counts[first] != counts[second] { return counts[first] > counts[second] }
            return names[first].lexicographicallyPrecedes(names[second])
        }
        rankOfName = Array(repeating: 0, count: names.count)
        for (rank, name) in namesByRank.enumerated() { rankOfName[name] = rank }

        let pathsOfName = (0...names.count).map { [carried] name in
            values.paths.paths.indices.filter { carried[name * words + $0 / 64] >> UInt64($0 % 64) & 1 == 1 }
        }
        let folding = ExploreFolding(definition, values, uses, together: pathsOfName)
        cellOf = (0..<values.count).map { value in folding.columnOf[Int(values.pathOf[value])].map { ($0, folding.codeOf[value]) } }
        self.folding = folding
        columnsOfName = namesByRank.map { pathsOfName[$0].compactMap { folding.columnOf[$0] }.sorted() }
    }

    /// What an event is besides its time, user and session, as numbers.
    private func encoded(_ event: Int) -> [UInt32] {
        let name = rankOfName[Int(events.names[event])]
        var row = [UInt32(name)] + columnsOfName[name].map { _ in 0 }
        for value in events.values(of: event) {
            guard let (column, code) = cellOf[Int(value)], let index = columnsOfName[name].firstIndex(of: column) else { continue }
            row[index + 1] = code
        }
        return row
    }

    private func session(of event: UInt32) -> Fingerprint { sessions[Int(events.sessions[Int(event)])] }

    /// Whether some events come before others: by time and by what they are, then by how many there are, then by their sessions.
    private func stand(_ events: some Collection<UInt32>, before others: some Collection<UInt32>) -> Bool {
        for (one, other) in zip(events, others) {
            let (time, otherTime) = (self.events.times[Int(one)], self.events.times[Int(other)])
            if time != otherTime { return time < otherTime }
            let (row, otherRow) = (encoded(Int(one)), encoded(Int(other)))
            if row != otherRow { return row.lexicographicallyPrecedes(otherRow) }
        }
        if events.count != others.count { return events.count < others.count }
        return events.map(session).lexicographicallyPrecedes(others.map(session)) { ($0.high, $0.low) < ($1.high, $1.low) }
    }

    private func sorted(_ block: [UInt32]) -> [UInt32] {
        let isSorted = zip(block, block.dropFirst()).allSatisfy { events.times[Int($0)] < events.times[Int($1)] }
        return isSorted ? block : block.sorted { stand(CollectionOfOne($0), before: CollectionOfOne($1)) }
    }

    /// Writes the columns, and returns the users in the order of their blocks.
    ///
    /// - Parameter late: for each session with duplicates, the time of the last one. The page does not hold duplicates.
    mutating func write(to payload: inout ExplorePayload, late: [Fingerprint: Int64]) -> [Int] {
        blocks = blocks.map(sorted)
        let users = blocks.indices.dropFirst().filter { !blocks[$0].isEmpty }.sorted { stand(blocks[$0], before: blocks[$1]) }
        payload.base = blocks.joined().map { events.times[Int($0)] }.min() ?? 0

        let (sizes, times, numbers, inSession) = (column(), column(), column(), column())
        let cells = folding.events.map { _ in column() }
        var row = Array(repeating: UInt32(0), count: cells.count)
        // For each session its number in the page; 0 before it is met.
        var numberOf = Array(repeating: 0, count: sessions.count)
        var met: [UInt32] = []
        var first = payload.base
        for block in [0] + users {
            sizes.appendVarint(UInt64(blocks[block].count))
            var (time, session) = (first, 0)
            for (index, event) in blocks[block].lazy.map({ Int($0) }).enumerated() {
                if index == 0 {
                    first = events.times[event]
                    times.appendZigzag(first - time)
                } else {
                    times.appendVarint(UInt64(events.times[event] - time))
                }
                time = events.times[event]
                let name = rankOfName[Int(events.names[event])]
                numbers.appendVarint(UInt64(name))
                let its = Int(events.sessions[event]), isNew = its > 0 && numberOf[its] == 0
                inSession.appendVarint(its == session ? 0 : isNew ? 1 : UInt64(numberOf[its] + 2))
                if isNew {
                    met.append(UInt32(its))
                    numberOf[its] = met.count
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
        (payload.events, payload.users, payload.sessions) = (blocks.joined().count, users.count, met.count)
        payload.late = self.late(met, late)
        payload.names = namesByRank.map { String(decoding: names[$0], as: UTF8.self) }
        (payload.properties, payload.sessionProperties) = (folding.events, folding.sessions)
        (payload.leftOut, payload.known) = (folding.leftOut, folding.known)
        for (name, columns) in columnsOfName.enumerated() { for column in columns { payload.properties[column].names.append(name) } }
        return users
    }

    /// The sessions whose last duplicate is later than all of their events, each with the time of that duplicate.
    private func late(_ sessions: [UInt32], _ late: [Fingerprint: Int64]) -> [(session: Int, time: Int64)] {
        guard !late.isEmpty else { return [] }
        var last = Array(repeating: Int64.min, count: self.sessions.count)
        for event in blocks.joined().lazy.map({ Int($0) }) {
            last[Int(events.sessions[event])] = max(last[Int(events.sessions[event])], events.times[event])
        }
        return sessions.enumerated().compactMap { index, session in
            late[self.sessions[Int(session)]].flatMap { $0 > last[Int(session)] ? (index + 1, $0) : nil }
        }
    }

    private func column() -> ByteBuffer { ByteBuffer(capacity: 1024) }

    /// How sessions began: for each the number of its rows, then the rows. Only a session with several rows has their times.
    private func contexts(of sessions: [UInt32], from base: Int64) -> ByteBuffer {
        let column = column()
        var before = base
        for session in sessions {
            let rows = rows(of: began[Int(session)])
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

    /// The rows of a session's lines, as in ``SessionContexts``. A row that repeats the one before is left out.
    private func rows(of lines: [SessionRow<[UInt32]>]) -> [(time: Int64, codes: [UInt32])] {
        // Most sessions have one line. Its time is not needed: the line counts for all events of the session.
        if lines.count == 1 { return [(0, codes(of: lines[0].values))] }
        var rows: [(time: Int64, codes: [UInt32])] = []
        for row in values.ordered(lines) {
            let codes = codes(of: row.values)
            if rows.last?.codes != codes { rows.append((row.time, codes)) }
        }
        return rows
    }

    /// The codes in the columns of sessions for some values.
    private func codes(of all: [UInt32]) -> [UInt32] {
        var codes = folding.sessions.map { _ in UInt32(0) }
        for value in all { if let cell = cellOf[Int(value)] { codes[cell.column] = cell.code } }
        return codes
    }
}
