import Basics
public import EventFiles

/// Says why one key did not convert, or adds up the reasons of all that did not.
///
/// ```swift
/// let funnel = try FunnelDefinition(steps: FunnelStep.parse("cart_added > payment_succeeded"), windowMilliseconds: 3_600_000)
/// let outcome = try ExplainRun(funnel).explanation(of: "u17", reading: EventFileReader(paths: ["events/"]))
/// print(outcome.explanation.verdict?.kind as Any, outcome.explanation.edits)
/// ```
public struct ExplainRun: Sendable {
    public let definition: FunnelDefinition
    private let asked: AskedFunnel
    var mostWork = EditSearch.mostWork

    /// - Parameter definition: of users or visits, without a compatibility. Visits are explained as users; a breakdown changes nothing.
    /// - Throws: ``ExplainError/notTogether(_:)``.
    public init(_ definition: FunnelDefinition) throws(ExplainError) {
        if definition.counting == .attempts { throw .notTogether(.attempts) }
        if definition.compat != nil { throw .notTogether(.compat) }
        self.definition = definition
        asked = AskedFunnel(definition)
    }

    /// Explains one key.
    ///
    /// The files are read up to four times: for the key's events, for those of the ids that became it, for other ids in its sessions, and
    /// for the events of those ids. With summaries each reading costs little.
    ///
    /// - Parameters:
    ///   - key: a user's id, or what else the funnel counts by.
    ///   - reader: must be able to read its files more than once, so standard input is not among them.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far each reading is.
    /// - Throws: `EventFileReadError` where a file cannot be read at all, and ``ExplainError/leftOut(_:)``.
    public func explanation(
        of key: String, reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors,
        progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (explanation: Explanation, reading: ReadResult) {
        try explanation(of: key) { try ExplainPass(asked, $0, of: reader, threads: threads, progress: progress) }
    }

    func explanation(
        of name: String, pass: (ExplainBatch.Selection) throws -> ExplainPass
    ) throws -> (explanation: Explanation, reading: ReadResult) {
        let found = try ExplainedKeys(asked, [.of(name)], pass)
        let user = found.own.identities.all.first { $0.anonymous == .of(name) }?.user
        let key = user.map { String(decoding: $0, as: UTF8.self) } ?? name
        if !found.own.cohort.admits(.of(key)) { throw ExplainError.leftOut(key) }
        let search = found.search(.of(key), text: key, mostWork: mostWork)
        return (search.explanation(of: key, found.own.input, found.own.names.unseen(in: definition)), found.own.reading)
    }

    /// Explains all keys that entered and did not convert, or 10,000 of them chosen by hash, and adds up what keeps them from converting.
    ///
    /// The files are read once to find these keys, and then as for one key. Memory: that of
    /// ``FunnelRun/members(_:reading:threads:progress:)``, and some 150 bytes for each event of these keys that has the name of a step or
    /// an exclusion; in strict order, for each of their events.
    ///
    /// - Parameters:
    ///   - reader: as for one key.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far each reading is.
    /// - Throws: `EventFileReadError` where a file cannot be read at all.
    public func reasons(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (reasons: DropReasons, reading: ReadResult) {
        let found = try FunnelRun([asked.funnel.definition])
            .members(.reached(step: 1), reading: reader, threads: threads, progress: progress)
        let reasons = try reasons(of: found.members) { try ExplainPass(asked, $0, of: reader, threads: threads, progress: progress) }
        return (reasons, found.reading)
    }

    func reasons(of people: FunnelPeople, pass: (ExplainBatch.Selection) throws -> ExplainPass) throws -> DropReasons {
        let dropped = people.members.filter { $0.depth <= definition.lastRequiredStep }.map { Fingerprint.of($0.key) }
        let chosen = dropped.sorted { ($0.low, $0.high) < ($1.low, $1.high) }.prefix(DropReasons.mostKeys)
        let found = try ExplainedKeys(asked, Set(chosen), pass)
        var (whys, unsearched, open) = ([EditSearch.Found](), 0, 0)
        for key in chosen {
            let search = found.search(key, mostWork: mostWork)
            if search.isOpen { open += 1 }
            if let why = search.found() { whys.append(why) } else if search.isCut { unsearched += 1 }
        }
        let grouped = Dictionary(grouping: whys) { DropReason(kind: $0.edits.count > 1 ? nil : $0.verdict.kind, step: $0.verdict.step) }
        let counts = grouped.map { reason, whys in
            var shifts = whys.map { $0.verdict.byMilliseconds ?? 0 }
            let hasShift = [.range, .late, .order].contains(reason.kind)
            return DropReasons.Count(
                kind: reason.kind, step: reason.step, count: shifts.count,
                medianMilliseconds: hasShift ? Distribution(sorting: &shifts)?.p50 : nil)
        }
        return DropReasons(
            definition: definition, entered: people.members.count, converted: people.members.count - dropped.count, asked: chosen.count,
            unsearched: unsearched, windowOpen: open,
            counts: counts.sorted { (-$0.count, $0.step, $0.kind?.rawValue ?? "~") < (-$1.count, $1.step, $1.kind?.rawValue ?? "~") },
            input: people.input, unseenNames: people.unseenNames)
    }

    private struct DropReason: Hashable {
        var kind: Explanation.Kind?
        var step: Int
    }
}

struct ExplainedKeys {
    /// What the pass for the keys' own events found.
    let own: ExplainPass
    private let asked: AskedFunnel
    /// The most ids of a session, beside the key, that are taken for one person's: a device has one id, and a new one after each reset. A
    /// session with more ids has many people, as where all lines have one constant session id. `explain --help` names the number.
    private static let mostOthers = 16
    /// For each key the ids that were in one of its sessions, with at most ``mostOthers`` of them, and were never identified.
    private var others: [Fingerprint: Set<Fingerprint>] = [:]
    /// What the pass for those ids found.
    private var aliases: ExplainPass?

    /// - Parameter pass: reads everything once.
    init(_ asked: AskedFunnel, _ keys: Set<Fingerprint>, _ pass: (ExplainBatch.Selection) throws -> ExplainPass) throws {
        self.asked = asked
        let first = try pass(.init(keys: keys))
        let ids = first.ids(of: keys)
        // A pass for no ids would not compare lines, and so would find no duplicates.
        own = ids == keys || ids.isEmpty ? first : try pass(.init(keys: ids))
        let joined = own.identities.joined
        let sessions = Set(own.links.map(\.session))
        if sessions.isEmpty { return }
        let known = Set(joined.keys).union(joined.values)
        var users: [Fingerprint: Set<Fingerprint>] = [:]
        // The key may be among them.
        for link in try pass(.init(sessions: sessions)).links
        where !known.contains(link.user) && users[link.session, default: []].count < Self.mostOthers + 2 {
            users[link.session, default: []].insert(link.user)
        }
        for link in own.links {
            let key = joined[link.user] ?? link.user
            let unknown = users[link.session, default: []].subtracting([key])
            if !unknown.isEmpty, unknown.count <= Self.mostOthers { others[key, default: []].formUnion(unknown) }
        }
        if !others.isEmpty { aliases = try pass(.init(keys: Set(others.values.joined()))) }
    }

    func search(_ key: Fingerprint, text: String? = nil, mostWork: Int) -> EditSearch {
        let admitted = others[key, default: []].filter { own.cohort.admits($0) }
        let ids = admitted.map { (name: aliases?.keyTexts[$0] ?? "", events: aliases?.events[$0] ?? []) }
        return EditSearch(
            asked, own.contexts, dataEnd: own.dataEnd, key: (key, text), isSilent: own.isSilent(key), own.events[key, default: []],
            aliases: ids.sorted { $0.name < $1.name }, mostWork: mostWork)
    }
}

final class ExplainPass {
    /// Which anonymous ids became which users; empty where users are not the keys.
    var identities: Identities { asked.funnel.joinsKeys ? people : Identities() }
    private var people = Identities()
    private(set) var cohort: CohortTest
    private(set) var contexts = SessionContexts()
    private(set) var links: Set<ExplainBatch.Link> = []
    private(set) var keyTexts: [Fingerprint: String] = [:]
    private var lastOfSession: [Fingerprint: Int64] = [:]
    private(set) var names = SeenNames()
    /// For each key all events of its ids, by rising time.
    private(set) var events: [Fingerprint: [TrialEvent]] = [:]
    private(set) var reading = ReadResult()
    private(set) var input = InputQuality()
    private let asked: AskedFunnel
    private var tally = BatchTally()
    private var withoutKey = 0
    private var timesOfSessions: [Fingerprint: [Int64]] = [:]
    private var found: [(key: Fingerprint, user: Fingerprint, event: TrialEvent)] = []

    init(_ asked: AskedFunnel) { (self.asked, cohort) = (asked, asked.funnel.cohort) }

    convenience init(
        _ asked: AskedFunnel, _ selection: ExplainBatch.Selection, of reader: EventFileReader, threads: Int,
        progress: ((ReadProgress) -> Void)?
    ) throws {
        self.init(asked)
        finish(
            try reader.read(
                asked.summaryNeeds(selection), threads: threads, progress: progress,
                into: { ExplainBatch(asked, selection, expecting: $0) }, consume: { take($0) }))
    }

    func take(_ batch: ExplainBatch) {
        tally.take(batch.head)
        withoutKey += tally.count(batch.withoutKey)
        for one in batch.sessions where !tally.isDuplicate(one.number) { timesOfSessions[one.session, default: []].append(one.time) }
        for line in batch.identified { people.add(line) }
        for line in batch.sessionLines { contexts.add(line) }
        for name in batch.names { names.insert(name) }
        links.formUnion(batch.links)
        keyTexts.merge(batch.keyTexts) { first, _ in first }
        lastOfSession.merge(batch.lastOfSession) { max($0, $1) }
        for (number, key, user, event) in batch.events where !tally.isDuplicate(number) { found.append((key, user, event)) }
    }

    /// Joins ids to their users once all is read.
    func finish(_ reading: ReadResult) {
        contexts.sort()
        cohort.join(people)
        let (joined, users, path) = (identities.joined, people.joined, asked.funnel.questions.key)
        for (id, user, event) in found where cohort.admits(user: users[user] ?? user) {
            let key = path.map { contexts.key($0, of: id, at: event.time) } ?? joined[id] ?? id
            if !key.isNone { events[key, default: []].append(event) }
        }
        for (session, times) in timesOfSessions { withoutKey += times.count { contexts.key(path ?? 0, of: session, at: $0).isNone } }
        (found, timesOfSessions) = ([], [:])
        for key in events.keys { events[key]?.sort { $0.time < $1.time } }
        self.reading = reading
        input = tally.finish(reading)
        input.dataEnd = asked.funnel.definition.end(of: tally.days)
        if !asked.plan.keys[0].isUser { input.withoutKey = withoutKey }
    }

    var dataEnd: Int64 { input.dataEnd?.milliseconds ?? 0 }

    /// Whether a key is a session that is over.
    func isSilent(_ key: Fingerprint) -> Bool {
        lastOfSession[key].map { $0 <= dataEnd.subtractingClamped(asked.funnel.definition.sessionTimeoutMilliseconds) } ?? false
    }

    /// All ids that lines of some keys can have: the keys, and what is joined with them. Of a session's property: the sessions with it.
    func ids(of keys: Set<Fingerprint>) -> Set<Fingerprint> {
        if let path = asked.funnel.questions.key { return contexts.sessions(with: keys, at: path) }
        let joined = identities.joined
        let users = keys.union(keys.compactMap { joined[$0] })
        return users.union(joined.filter { users.contains($0.value) }.keys)
    }
}
