import Basics
import EventFiles

/// What a page holds: a head, and columns of numbers.
package struct ExplorePayload: Sendable {
    /// A share of the users, chosen by the hash of their ids. The share has two digits.
    package typealias Sample = (share: Double, users: Int, ofUsers: Int, ofEvents: Int)

    package let definition: ExploreDefinition
    package internal(set) var events = 0
    package internal(set) var users = 0
    package internal(set) var sessions = 0
    /// The earliest time of an event in the page.
    package internal(set) var base: Int64 = 0
    package internal(set) var names: [String] = []
    package internal(set) var properties: [ExploreProperty] = []
    package internal(set) var sessionProperties: [ExploreProperty] = []
    /// The properties that the page does not hold, with the number of their values. For a key that may be an id, its object is listed.
    package internal(set) var leftOut: [(property: ExploreDefinition.Property, values: Int)] = []
    /// The properties with a value, also those that are left out.
    var known: [ExploreDefinition.Property] = []
    /// Counts of all that was read, also of what the page does not hold.
    package internal(set) var input = InputQuality()
    /// The days of all events that were read.
    package internal(set) var days: [(count: Int, first: Int64, last: Int64)] = []
    /// Where nothing was recorded between two events that were read, and the longest silence that is no hole.
    package internal(set) var holes: [Range<Int64>] = []
    package internal(set) var silence: Int64 = 0
    /// The sessions, numbered from 1, whose last event is a duplicate that the page does not hold, and its time.
    package internal(set) var late: [(session: Int, time: Int64)] = []
    /// When each day begins, from 40 days before the first event to 40 days after the last, wildly wrong times apart.
    package internal(set) var dayStarts: [Int64] = []
    package internal(set) var sample: Sample?
    /// The users' ids, in the order of their blocks, if the definition keeps them.
    package internal(set) var ids: [String]?
    /// The columns by their names: unsigned LEB128, signed numbers zigzag.
    package internal(set) var columns: [(name: String, bytes: [UInt8])] = []

    /// The properties that the definition names and nobody has, each with the nearest that somebody has.
    package var unseenPaths: [UnseenName] {
        let asked = (definition.only ?? []).union(definition.without).union(definition.exact).subtracting(known)
        let names = known.map { PropertyPath.text($0.path, in: $0.source) }
        return asked.map { PropertyPath.text($0.path, in: $0.source) }.sorted()
            .map { UnseenName(name: $0, nearest: NearestName.find($0, in: names)) }
    }
}

/// Keeps all events that count, and puts them into columns at the end.
struct ExploreAccumulator: ~Copyable, BatchSum {
    private let definition: ExploreDefinition
    private var tally = BatchTally()
    private var identities = Identities()
    private var names = NameTable()
    private var users = FingerprintNumbers.keys
    private var userTexts = NameTable()
    private var sessions = FingerprintNumbers.keys
    private var values = ValueTable()
    private var events = ExploreEvents()
    /// For each session the lines that begin it.
    private var began: [[SessionRow<[UInt32]>]] = []
    /// For sessions with duplicates the time of the last one.
    private var late: [Fingerprint: Int64] = [:]

    init(_ definition: ExploreDefinition) { self.definition = definition }

    mutating func take(_ batch: ExploreBatch) {
        let all = batch.events
        tally.take(all.head)
        for line in all.identified { identities.add(line) }
        _ = userTexts.numbers(of: batch.userTexts.names)
        let (nameOf, valueOf) = (names.numbers(of: all.names), values.numbers(of: batch.values))
        for (id, var line) in batch.began {
            let session = sessions.number(of: id)
            while began.count <= session { began.append([]) }
            line.values = line.values.map { valueOf[Int($0)] }
            began[session].append(line)
        }
        let userOf = users.numbers(of: all.keys.all)
        var start = 0
        // Events of a session often follow each other, so the last number is kept.
        var (last, number) = (Fingerprint.none, 0)
        for event in all.times.indices {
            let cells = start..<batch.ends[event]
            start = cells.upperBound
            let session = batch.sessions[event]
            if tally.isDuplicate(event) {
                late[session] = max(late[session] ?? .min, all.times[event])
                continue
            }
            if !all.leftOut.isEmpty && all.leftOut[event] { continue }
            if session != last { (last, number) = (session, sessions.number(of: session)) }
            events.append(
                time: all.times[event], name: nameOf[Int(all.nameNumbers[event])], user: Int(userOf[Int(all.keyNumbers[event])]),
                session: number, values: batch.cells[cells].lazy.map { valueOf[Int($0)] })
        }
    }

    consuming func answer(_ reading: ReadResult) -> ExplorePayload {
        let days = definition.days
        var payload = ExplorePayload(definition: definition)
        payload.input = tally.finish(reading)
        payload.days = tally.days.entries
        payload.input.dataEnd = tally.days.end(before: DayCounts.length)
        payload.dayStarts = payload.input.dataEnd.map { Self.dayStarts(payload.days, to: $0.milliseconds, days) } ?? []
        let silences = Silences(tally.days) { time in
            let start = days.start(time)
            return start..<max(days.next(start), time + 1)
        }
        (payload.holes, payload.silence) = (silences?.holes ?? [], silences?.limit ?? 0)
        _ = userTexts.numbers(of: identities.users)
        let owners = users.owners(identities)
        let (blocks, sample) = blocks(owners)
        payload.sample = sample
        began += repeatElement([], count: sessions.all.count - began.count)
        var columns = ExploreColumns(events, blocks, names: names.names, sessions: sessions.all, began: began, values, by: definition)
        let order = columns.write(to: &payload, late: late)
        if definition.keepsIDs { payload.ids = order.map { userTexts.text(withFingerprint: users.all[$0]) } }
        return payload
    }

    /// For each user the events that the page holds, those without a user first; and the sample, `nil` if the page holds all.
    private func blocks(_ owners: [UInt32]) -> ([[UInt32]], ExplorePayload.Sample?) {
        var cohort = CohortTest(definition.cohort, countedBy: .user)
        cohort.join(identities)
        let isIn = owners.map { cohort.admits(users.all[Int($0)]) }
        let all = events.blocks(owners) { user, _ in isIn[user] }
        let count = all.joined().count
        guard let most = definition.mostEvents, count > most else { return (all, nil) }
        // The share in two digits, rounded down.
        let share = Double(most) / Double(count)
        let digit = pow(10, log10(share).rounded(.down) - 1)
        let rounded = ((share / digit).rounded(.down) * digit * 1e9).rounded() / 1e9
        let limit = UInt64(rounded * 18_446_744_073_709_551_616)
        // Events without a user are chosen by whole sessions.
        let some = events.blocks(owners) { user, session in
            guard isIn[user] else { return false }
            if user > 0 { return users.all[Int(owners[user])].high < limit }
            return session > 0 && sessions.all[session].high < limit
        }
        func people(_ blocks: [[UInt32]]) -> Int { blocks.dropFirst().count { !$0.isEmpty } }
        return (some, (rounded, people(some), people(all), count))
    }

    /// How far from the data's end days are listed: one wildly wrong time would make millions.
    private static let mostDays: Int64 = 100_000

    private static func dayStarts(_ met: [(count: Int, first: Int64, last: Int64)], to end: Int64, _ days: CalendarPeriods) -> [Int64] {
        let times = met.flatMap { [$0.first, $0.last] }.filter { abs($0 - end) <= mostDays * DayCounts.length }
        // From before the week and the month of the first day to behind those of the last.
        let margin = 40 * DayCounts.length
        var starts = [days.start((times.first ?? end) - margin)]
        while let start = starts.last, start <= (times.last ?? end) + margin { starts.append(days.next(start)) }
        return starts
    }
}
