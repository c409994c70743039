import Basics
import EventFiles

/// Adds up the batches of one pass for all its funnels, and makes their results.
struct FunnelAccumulator: ~Copyable {
    private let plan: CompiledFunnel
    private(set) var tally = BatchTally()
    private var finished: InputQuality?
    private var names = SeenNames()
    private var withoutKey: [Int]
    private var identities: Identities
    private var sessions = SessionContexts()
    private var paths: SeenPaths
    /// For each key that is a session's context, the times of each session's events.
    private var timesOfSessions: [Int: [Fingerprint: [Int64]]] = [:]
    private(set) var keyTexts = NameTable()
    /// When each session had its last event; empty unless a funnel by sessions asks for that.
    private var lastOfSession: [Fingerprint: Int64] = [:]
    /// The numbers of all keys, sessions and held values.
    private var numbers = FingerprintNumbers.keys
    /// For each number, the number of the user that its anonymous id belongs to; empty if no id belongs to a user.
    private var owners: [UInt32] = []
    private var records: [FunnelRecords]
    private var listed: CatalogueAccumulator?

    /// - Parameter identities: which anonymous ids belong to which users according to other data.
    init(_ plan: CompiledFunnel, identities: Identities = Identities()) {
        self.plan = plan
        self.identities = identities
        withoutKey = Array(repeating: 0, count: plan.keys.count)
        paths = SeenPaths(plan)
        records = plan.keeping.map(FunnelRecords.init)
        if let catalogue = plan.catalogue { listed = CatalogueAccumulator(catalogue) }
    }

    var definitions: [FunnelDefinition] { plan.funnels.map(\.definition) }

    /// Reads everything once.
    mutating func takeAll(of reader: EventFileReader, threads: Int, progress: ((ReadProgress) -> Void)?) throws -> ReadResult {
        let plan = plan
        let reading = try reader.read(
            plan.summaryNeeds, threads: threads, progress: progress, into: { FunnelBatch(plan, expecting: $0) }, consume: { take($0) })
        // If a property did not occur, another may be meant. Lines showed all of theirs, summaries only those that were asked for.
        if reading.summariesUsed > 0, paths.lacksSome {
            _ = try reader.read(
                plan.sampleNeeds, threads: threads, progress: nil, into: { _ in PathSample(plan) }, consume: { paths.add($0.paths) })
        }
        return reading
    }

    /// Takes the next batch, in the order of the data.
    mutating func take(_ batch: FunnelBatch) {
        tally.take(batch.head)
        for name in batch.names { names.insert(name) }
        for line in batch.identified { identities.add(line) }
        for line in batch.sessionLines { sessions.add(line) }
        paths.add(batch.paths)
        for case (let index, .context) in plan.keys.enumerated() {
            for (event, one) in batch.sessions.enumerated() where !tally.isDuplicate(event) && !one.session.isNone {
                timesOfSessions[index, default: [:]][one.session, default: []].append(one.time)
            }
        }
        lastOfSession.merge(batch.lastOfSession) { max($0, $1) }
        for (key, events) in batch.withoutKey.enumerated() { withoutKey[key] += tally.count(events) }
        _ = keyTexts.numbers(of: batch.keyTexts.names)
        let numberOf = numbers.numbers(of: batch.numbers.all)
        for (funnel, matches) in batch.matches.enumerated() { records[funnel].take(matches, numberOf, duplicates: tally.duplicates) }
        if let events = batch.listed { listed?.take(events, duplicates: tally.duplicates) }
    }

    /// The quality of all that was taken; `withoutKey` counts events without a user. To be called before chains are asked for.
    mutating func finish(_ reading: ReadResult) -> InputQuality {
        if let finished { return finished }
        if !identities.isEmpty {
            owners = numbers.owners(identities)
            for (index, funnel) in plan.keeping.enumerated() where funnel.joins { records[index].join(identities, owners) }
            if plan.keepsKeys { _ = keyTexts.numbers(of: identities.users) }
        }
        answerSessionQuestions()
        for index in records.indices { records[index].sort(keys: numbers.all.count) }
        let input = tally.finish(reading)
        finished = input
        return input
    }

    private mutating func answerSessionQuestions() {
        sessions.sort()
        for index in records.indices { records[index].answer(sessions, &numbers) }
        for (key, times) in timesOfSessions {
            guard let path = plan.funnels.first(where: { $0.key == key })?.questions.key else { continue }
            for (session, times) in times { withoutKey[key] += times.count { sessions.key(path, of: session, at: $0).isNone } }
            if plan.keepsKeys { _ = keyTexts.numbers(of: sessions.values(path)) }
        }
        timesOfSessions = [:]
    }

    /// When the data ends, as one funnel sees it; `nil` without events.
    func dataEnd(_ funnel: Int) -> DataEnd? { plan.funnels[funnel].definition.end(of: tally.days) }

    /// Calls `body` with each chain of a funnel that counts: its key's fingerprint, the chain, its group's number, and what it counts for.
    ///
    /// - Parameter period: gives the period that a start lies in; `nil` for no periods.
    func forEachChain(
        _ funnel: Int, _ wanted: StartSelection.Counts = [.all, .mature], period: ((Int64) -> Range<Int64>)? = nil,
        _ body: (Fingerprint, FunnelChain, UInt32, StartSelection.Part) -> Void
    ) {
        let end = dataEnd(funnel)?.milliseconds ?? 0
        let (definition, lastOfSession) = (plan.funnels[funnel].definition, lastOfSession)
        let silence = definition.key == .session ? end.subtractingClamped(definition.sessionTimeoutMilliseconds) : nil
        let starts = StartSelection(definition, dataEnd: end, wanted: wanted, period: period) { session in
            silence.map { silence in lastOfSession[session].map { $0 <= silence } ?? false } ?? false
        }
        records(funnel).forEachChain(of: definition, numbers.all, definition.identify ? owners : [], starts, dataEnd: end, body)
    }

    /// Calls `body` with each key's events that a funnel wants, by rising time. To be called after ``finish(_:)``.
    func forEachKey(_ funnel: Int, _ body: (UnsafeBufferPointer<StepEvent>) -> Void) { records(funnel).forEachKey(numbers.all, body) }

    /// The values of a funnel's breakdown. The number of a value's group is its index here + 1; 0 is the group of keys without a value.
    func values(_ funnel: Int) -> [[UInt8]] { records(funnel).values.names }

    private func records(_ funnel: Int) -> FunnelRecords { records[plan.keeperOf[funnel]] }

    /// The text of a group's value as bytes; empty for the group without a value.
    func valueBytes(_ funnel: Int, _ group: UInt32) -> [UInt8] { group == 0 ? [] : values(funnel)[Int(group) - 1] }

    /// The input's quality as one funnel sees it.
    func input(_ funnel: Int, _ input: InputQuality) -> InputQuality {
        var input = input
        let key = plan.funnels[funnel].key
        if !plan.keys[key].isUser { input.withoutKey = withoutKey[key] }
        return input
    }

    func unseenNames(_ funnel: Int) -> [UnseenName] { names.unseen(in: plan.funnels[funnel].definition) }

    /// The properties that a funnel asks about and that no event or session had; empty where there was nothing to look at.
    func unseenPaths(_ funnel: Int) -> [UnseenName] { paths.unseen(in: plan.funnels[funnel].definition, hasEvents: tally.input.events > 0) }

    /// The catalogue of the events, if the pass lists them.
    mutating func catalogue(_ reading: ReadResult) -> EventCatalogue {
        let input = finish(reading)
        let listed = listed.take() ?? CatalogueAccumulator(CatalogueRun())
        return listed.catalogue(input, metaLines: tally.metaLines, timingLines: tally.timingLines)
    }

    /// The results, and the trends, one for each definition in their order.
    ///
    /// - Parameters:
    ///   - counted: which starts the trends count; `nil` for those of the definitions.
    ///   - period: gives the period that a start lies in; `nil` for trends without periods.
    consuming func trends(
        _ reading: ReadResult, of run: FunnelRun, _ counted: FunnelDefinition.Starts? = nil, period: ((Int64) -> Range<Int64>)?
    ) -> [(result: FunnelResult, trend: FunnelTrend)] {
        let all = finish(reading)
        let silences = Silences(tally.days, day: run.day)
        var (results, wholes, points): ([FunnelResult], [FunnelResult], [[FunnelTrend.Point]]) = ([], [], [])
        for (funnel, definition) in definitions.enumerated() {
            let ofPeriods = definition.counting(counted ?? definition.starts)
            var (asked, whole) = (StartTally(definition, day: run.day), StartTally(ofPeriods, day: run.day))
            // In an array: if the closure captured a tally itself, it would copy the tally's definition for each chain.
            let (isAlike, empty) = (ofPeriods == definition, [StartTally(ofPeriods)])
            var tallies: [Int64: StartTally] = [:]
            forEachChain(funnel, period: period) { _, chain, group, part in
                if let start = part.period { return tallies[start, default: empty[0]].add(chain, group: group, part) }
                asked.add(chain, group: group, part)
                if !isAlike { whole.add(chain, group: group, part) }
            }
            let result = result(funnel, definition, asked, all, silences, run)
            results.append(result)
            wholes.append(isAlike ? result : self.result(funnel, ofPeriods, whole, all, silences, run))
            points.append(
                tallies.sorted { $0.key < $1.key }.compactMap { start, tally in
                    guard let period = period?(start) else { return nil }
                    return FunnelTrend.Point(
                        start, tally, ofPeriods, groups: tally.shownGroups(values(funnel)).groups, isComplete: result.isComplete(period),
                        silences?.coverage(since: period.lowerBound, until: period.upperBound, day: run.day))
                })
        }
        results = Self.withClaims(results, asked: run.askedCount)
        wholes = Self.withClaims(wholes, asked: run.askedCount)
        return results.indices.map { (results[$0], FunnelTrend(whole: wholes[$0], points: points[$0])) }
    }

    /// The results with the claims about their groups. Results asked for are judged together, and apart from those they are compared with.
    private static func withClaims(_ results: [FunnelResult], asked: Int) -> [FunnelResult] {
        var results = results
        for part in [results.indices.prefix(asked), results.indices.dropFirst(asked)] {
            for (index, claims) in zip(part, GroupClaims.claims(of: part.map { results[$0] })) { results[index].groupClaims = claims }
        }
        return results
    }

    private func result(
        _ funnel: Int, _ definition: FunnelDefinition, _ tally: StartTally, _ all: InputQuality, _ silences: Silences?, _ run: FunnelRun
    ) -> FunnelResult {
        let end = dataEnd(funnel)
        let (groups, indices) = tally.shownGroups(values(funnel))
        let mature = tally.counts.mature(of: definition, dataEnd: end)
        let until = definition.starts == .mature ? mature.untilMilliseconds : definition.until
        let steps = FunnelResult.Step.all(tally.shown, of: definition)
        return FunnelResult(
            definition: definition, steps: steps, groups: groups, windowOpen: tally.shown.windowOpen, input: input(funnel, all),
            unseenNames: unseenNames(funnel), unseenPaths: unseenPaths(funnel), mature: mature, dataEnd: end,
            hiddenEnd: definition.hiddenEnd(of: self.tally.days),
            coverage: silences?.coverage(since: definition.since, until: until, day: run.day),
            visits: tally.visits?.sorted { indices[$0] ?? 0 }, ninetyNinth: tally.counts.ninetyNinth(of: definition, steps))
    }
}
