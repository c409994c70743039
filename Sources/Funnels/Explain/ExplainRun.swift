public import EventFiles
import TrackingEvents

/// Says why one key did not convert, or what keeps all of them from it.
///
/// ```swift
/// let funnel = try FunnelDefinition(steps: FunnelStep.parse("cart_added > payment_succeeded"), windowMilliseconds: 3_600_000)
/// let outcome = try ExplainRun(funnel).explanation(of: "u17", reading: EventFileReader(paths: ["events/"]))
/// print(outcome.explanation.verdict?.kind as Any, outcome.explanation.edits)
/// ```
public struct ExplainRun: Sendable {
    public let definition: FunnelDefinition
    private let asked: AskedFunnel

    /// - Parameter definition: of keys, without a compatibility. A breakdown changes nothing.
    /// - Throws: ``ExplainError/notTogether(_:)``.
    public init(_ definition: FunnelDefinition) throws(ExplainError) {
        if definition.counting == .attempts { throw .notTogether(.attempts) }
        if definition.compat != nil { throw .notTogether(.compat) }
        self.definition = definition
        asked = AskedFunnel(definition)
    }

    /// Explains one key.
    ///
    /// The files are read up to four times: for who the key is, for its events, and where it did not convert for who else was in its sessions
    /// and what these did. With summaries each reading costs little.
    ///
    /// - Parameters:
    ///   - key: a user's id, or what else the funnel counts by.
    ///   - reader: must be able to read its files twice, so standard input is not among them.
    ///   - threads: how many decode at a time.
    ///   - progress: receives the progress of the reading for its events.
    /// - Throws: `EventFileReadError` where a file cannot be read at all, and ``ExplainError/leftOut(_:)``.
    public func explanation(
        of key: String, reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors,
        progress: ((ReadProgress) -> Void)? = nil
    ) throws -> Explanation.Outcome {
        try explanation(of: key) { selection, shows in
            try ExplainedKeys(asked, selection, of: reader, threads: threads, progress: shows ? progress : nil)
        }
    }

    /// - Parameter pass: reads everything once, for a selection of events; the one that counts shows its progress.
    func explanation(
        of key: String, pass: (_ selection: ExplainBatch.Selection, _ showsProgress: Bool) throws -> ExplainedKeys
    ) throws -> Explanation.Outcome {
        var (key, wanted) = (key, Set([Fingerprint.of(key)]))
        if asked.joins {
            let who = try pass(.keys([]), false).identities
            if let user = who.all.first(where: { $0.anonymous == .of(key) })?.user { key = String(decoding: user, as: UTF8.self) }
            wanted = Set([.of(key)] + who.joined.filter { $0.value == .of(key) }.map(\.key))
        } else if case .context = definition.key {
            wanted = try pass(.keys([]), false).contexts.sessions(with: Array(key.utf8), at: asked.paths.sessionReaders.count - 1)
        }
        var keys = try pass(.keys(wanted), true)
        let input = keys.finish()
        if !asked.cohort.admits(.of(key)) { throw ExplainError.leftOut(key) }
        let trial = keys.trial()
        let events = keys.events[.of(key), default: []]
        var aliases: [(name: String, events: [TrialEvent])] = []
        if asked.joins, trial.reach(events).depth <= definition.lastRequiredStep {
            let others = try pass(.others(Set(events.map(\.session)).subtracting([.none])), false)
            let found = Set(others.links.map(\.user)).subtracting(wanted).filter(keys.identities.isUnknown)
            if !found.isEmpty {
                var others = try pass(.keys(found), false)
                _ = others.finish()
                aliases = others.events.values.map { ($0.first?.texts?.user ?? "", $0) }.sorted { $0.name < $1.name }
            }
        }
        let search = EditSearch(trial, events, aliases: aliases.map(\.events), asked.paths)
        return Explanation.Outcome(
            explanation: search.explanation(of: key, aliases: aliases.map(\.name), input, keys.names.unseen(in: definition)),
            reading: keys.reading)
    }

    /// Explains all keys that entered and did not convert, or 10,000 of them chosen by hash, and adds up what keeps them from it.
    ///
    /// Memory: 88 bytes for each event that has the name of a step or an exclusion, in strict order for each event; 32 for each user in a session.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Throws: `EventFileReadError` where a file cannot be read at all.
    public func reasons(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> DropReasons.Outcome {
        let keys = try ExplainedKeys(asked, .everybody, of: reader, threads: threads, progress: progress)
        let reading = keys.reading
        return DropReasons.Outcome(reasons: keys.reasons(), reading: reading)
    }
}

/// What a pass found, key by key.
struct ExplainedKeys: ~Copyable {
    /// How many events the engine follows for one kind of change of one key, where many keys are asked.
    private static let mostWorkOfOne = 2_000_000

    private let asked: AskedFunnel
    private var tally = BatchTally()
    private var records = RecordStore<ExplainedEvent>()
    private var answers: [[UInt64]] = []
    private var texts: [ExplainedTexts] = []
    private var withoutKey = 0
    private(set) var identities = Identities()
    private(set) var contexts = SessionContexts()
    private(set) var links: Set<ExplainBatch.Link> = []
    private(set) var names = SeenNames()
    /// What was read, file by file.
    private(set) var reading = ReadResult()
    /// By rising time.
    private(set) var events: [Fingerprint: [TrialEvent]] = [:]

    init(_ asked: AskedFunnel) { self.asked = asked }

    /// Reads everything once.
    init(
        _ asked: AskedFunnel, _ selection: ExplainBatch.Selection, of reader: EventFileReader, threads: Int,
        progress: ((ReadProgress) -> Void)?
    ) throws {
        self.init(asked)
        let withSessions = if case .keys(let keys) = selection { asked.joins && !keys.isEmpty } else { asked.joins }
        reading = try reader.read(asked.summaryNeeds(withSessions: withSessions), threads: threads, progress: progress) {
            ExplainBatch(asked, selection, expecting: $0)
        } consume: {
            take($0)
        }
    }

    mutating func take(_ batch: ExplainBatch) {
        tally.take(batch.head)
        withoutKey += tally.count(batch.withoutKey)
        for line in batch.identified { identities.add(line) }
        for line in batch.sessionLines { contexts.add(line) }
        for name in batch.names { names.insert(name) }
        links.formUnion(batch.links)
        for (number, key, event) in batch.events where !tally.isDuplicate(number) {
            var event = event
            event.answers += UInt32(answers.count)
            if event.texts > 0 { event.texts += UInt32(texts.count) }
            records.append(FunnelRecord(key: key, event: event))
        }
        answers += batch.answers
        texts += batch.texts
    }

    /// Joins ids to their users; for a pass of few keys ``events`` has them then.
    mutating func finish() -> InputQuality {
        contexts.sort()
        if asked.joins, !identities.isEmpty {
            let joined = identities.joined
            records.rekey { joined[$0] }
        }
        var found: [Fingerprint: [TrialEvent]] = [:]
        if case .context = asked.definition.key {
            let key = asked.paths.sessionReaders.count - 1
            forEachKey { session, events in
                for event in events {
                    guard let value = contexts.value(key, of: session, at: event.time) else { continue }
                    found[value.withUnsafeBytes { .of($0) }, default: []].append(event)
                }
            }
            for key in found.keys { found[key]?.sort { $0.time < $1.time } }
        } else if !texts.isEmpty {
            forEachKey { found[$0] = $1 }
        }
        events = found
        var input = tally.finish(reading)
        if !asked.key.isUser { input.withoutKey = withoutKey }
        return input
    }

    func trial() -> KeyTrial {
        let end = asked.definition.dataEnd ?? tally.days.end(before: asked.definition.windowMilliseconds)?.milliseconds
        return KeyTrial(asked, contexts, dataEnd: end ?? 0)
    }

    /// Calls `body` with each key and its events by rising time.
    private func forEachKey(_ body: (Fingerprint, [TrialEvent]) -> Void) {
        for part in 0..<RecordStoreLayout.partCount {
            records.forEachKey(inPart: part) { key, found in if asked.cohort.admits(key) { body(key, found.map { trialEvent($0) }) } }
        }
    }

    private func trialEvent(_ event: ExplainedEvent) -> TrialEvent {
        let holding = asked.paths.answered(answers[Int(event.answers)], in: event.session, at: event.time, contexts)
        return TrialEvent(
            time: event.time, named: event.named, holding: holding, hold: event.hold, session: event.session,
            line: contexts.line(of: event.session, at: event.time), texts: event.texts > 0 ? texts[Int(event.texts) - 1] : nil)
    }

    consuming func reasons() -> DropReasons {
        let input = finish()
        let trial = trial()
        let others = others()
        var aliases: [Fingerprint: [TrialEvent]] = [:]
        var (entered, dropped): (Int, [Fingerprint]) = (0, [])
        func forEach(_ body: (Fingerprint, [TrialEvent]) -> Void) {
            if case .context = asked.definition.key { events.forEach { body($0.key, $0.value) } } else { forEachKey(body) }
        }
        let isAlias = Set(others.values.joined())
        forEach { key, events in
            let depth = trial.reach(events).depth
            if isAlias.contains(key) { aliases[key] = events }
            if depth == 0 { return }
            entered += 1
            if depth <= asked.definition.lastRequiredStep { dropped.append(key) }
        }
        let converted = entered - dropped.count
        let chosen = Set(dropped.sorted { ($0.low, $0.high) < ($1.low, $1.high) }.prefix(DropReasons.mostKeys))
        var found: [Reason: [Int64]] = [:]
        forEach { key, events in
            guard chosen.contains(key) else { return }
            let ids = others[key, default: []].compactMap { aliases[$0] }
            let search = EditSearch(trial, events, aliases: ids, asked.paths, mostWork: Self.mostWorkOfOne)
            let edits = search.edits()
            guard let verdict = search.verdict(of: edits) else { return }
            found[Reason(kind: edits.count > 1 ? nil : verdict.kind, step: verdict.step), default: []].append(verdict.byMilliseconds ?? 0)
        }
        let counts = found.map { reason, shifts in
            var shifts = shifts
            let hasShift = reason.kind.map { [.range, .late, .order].contains($0) } ?? false
            return DropReasons.Count(
                kind: reason.kind, step: reason.step, count: shifts.count,
                medianMilliseconds: hasShift ? Distribution(sorting: &shifts)?.p50 : nil)
        }
        let sorted = counts.sorted { one, other in
            if one.count != other.count { return one.count > other.count }
            return (one.step, one.kind?.rawValue ?? "~") < (other.step, other.kind?.rawValue ?? "~")
        }
        return DropReasons(
            definition: asked.definition, entered: entered, converted: converted, asked: chosen.count, counts: sorted,
            input: input, unseenNames: names.unseen(in: asked.definition))
    }

    private struct Reason: Hashable {
        var kind: Explanation.Kind?
        var step: Int
    }

    /// For each key the ids that were in one of its sessions and were never identified.
    private func others() -> [Fingerprint: Set<Fingerprint>] {
        let joined = identities.joined
        var users: [Fingerprint: Set<Fingerprint>] = [:]
        for link in links { users[link.session, default: []].insert(link.user) }
        var others: [Fingerprint: Set<Fingerprint>] = [:]
        for users in users.values where users.count > 1 {
            let unknown = users.filter(identities.isUnknown)
            for key in Set(users.map { joined[$0] ?? $0 }) { others[key, default: []].formUnion(unknown.subtracting([key])) }
        }
        return others
    }
}
