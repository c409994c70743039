import EventFiles
import TrackingEvents

/// Collects the batches of a pass. At the end it finds the forks of each key, and what they have in common.
struct WhyAccumulator: ~Copyable, BatchSum {
    private let definition: WhyDefinition
    private let plan: CompiledFunnel
    /// The events. Its `keys` also number the sessions or users of events with details.
    private var records: KeyedEvents<WhyEvent>
    private var values = ValueTable()
    /// For each event of ``WhyBatch/forks`` the number of its session, or of its user where the key is a session.
    private var holds: [UInt32] = []
    /// Where the cells of each begin in `cells`, with one more at the end.
    private var starts: [Int] = [0]
    private var cells: [UInt32] = []
    /// What each session began with.
    private var contexts: [Fingerprint: [SessionRow<[UInt32]>]] = [:]
    private var asked = SessionContexts()
    private var paths: SeenPaths
    private(set) var dependsOnOrder = false

    init(_ definition: WhyDefinition, _ plan: CompiledFunnel) {
        (self.definition, self.plan) = (definition, plan)
        paths = SeenPaths(plan)
        records = KeyedEvents(plan.funnels[0].cohort, joinsKeys: plan.funnels[0].joinsKeys)
    }

    mutating func take(_ batch: WhyBatch) {
        let events = batch.events
        for line in batch.sessionLines { asked.add(line) }
        paths.add(batch.paths)
        dependsOnOrder = dependsOnOrder || batch.values.paths.hasMore
        let numberOfValue = values.numbers(of: batch.values, atMost: WhyDefinition.mostValues)
        /// The numbers that a batch's values have in `values`, without those of values that are not kept.
        func kept(_ found: some Collection<UInt32>) -> [UInt32] { found.map { numberOfValue[Int($0)] }.filter { $0 != ValueTable.none } }
        for (session, var line) in batch.began {
            line.values = kept(line.values)
            contexts[session, default: []].append(line)
        }
        var fork = 0
        records.take(events) { event, name, keys in
            // Forks that do not count are passed over.
            while fork < batch.forks.count, batch.forks[fork] < event { fork += 1 }
            var detail: UInt32 = 0
            if fork < batch.forks.count, batch.forks[fork] == event {
                cells += kept(batch.cells[Int(batch.starts[fork])..<Int(batch.starts[fork + 1])])
                holds.append(UInt32(keys.number(of: batch.holds[fork])))
                starts.append(cells.count)
                detail = UInt32(holds.count)
            }
            let bits = batch.bits[event]
            return WhyEvent(
                time: events.times[event], steps: UInt32(truncatingIfNeeded: bits), exclusions: UInt32(truncatingIfNeeded: bits >> 32),
                name: name, detail: detail)
        }
    }

    consuming func answer(_ reading: ReadResult) throws -> Why {
        var (input, owners) = records.finish(reading)
        asked.sort()
        for (session, lines) in contexts where lines.count > 1 { contexts[session] = values.ordered(lines) }
        input.dataEnd = definition.funnel.end(of: records.tally.days)
        let forks = try WhyForks(definition, first: input.firstMilliseconds ?? 0, dataEnd: input.dataEnd?.milliseconds ?? 0)
        let questions = plan.funnels[0].questions
        let names = records.names
        var isOwn: Set<[UInt8]> = []
        for case .oneOf(let own) in definition.funnel.patterns.map(\.names) { isOwn.formUnion(own.map { Array($0.utf8) }) }
        let counts = names.map { !isOwn.contains($0) }
        var found: [WhyTable.Fork] = []
        var answered: [WhyEvent] = []
        let ids = records.keys.all
        records.forEachKey { key, events in
            func hold(_ event: WhyEvent) -> UInt32 { event.detail > 0 ? holds[Int(event.detail) - 1] : 0 }
            func session(_ event: WhyEvent) -> Fingerprint { ids[definition.funnel.key == .session ? key : Int(hold(event))] }
            func take(_ fork: WhyForks.Found) {
                var had = fork.before.filter { counts[Int($0.key)] }
                let events = had.values.reduce(0) { $0 + Int($1) }
                forEachCell(of: fork.event, in: session(fork.event)) { had[UInt32(names.count) + $0] = 0 }
                found.append(
                    WhyTable.Fork(
                        user: ids[Int(owners[Int(fork.user)])], time: fork.event.time, isConverted: fork.isConverted,
                        had: had.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, eventsBefore: events))
            }
            if questions.isEmpty { return forks.follow(UInt32(key), events, hold: hold, take) }
            answered = events.map { event in event.detail > 0 ? questions.answered(event, in: session(event), asked) : event }
            answered.withUnsafeBufferPointer { forks.follow(UInt32(key), $0, hold: hold, take) }
        }
        var seen = SeenNames()
        for name in names { seen.insert(name) }
        let table = WhyTable(found, paths: names.map { _ in nil } + values.pathOf.map { Int($0) })
        let candidates = candidates(of: table)
        let search = WhySearch(table, definition, items: candidates.map(\.item)) { item in
            item >= names.count && values.name(ofPath: Int(values.pathOf[item - names.count])).kind == .session
        }
        let byItem = Dictionary(uniqueKeysWithValues: candidates.map { ($0.item, $0.candidate) })
        let (findings, silence) = definition.countsVisits ? search.findings() : ([], Claim(refused: .unit))
        let said = findings.map(\.candidate.items)
        let refused = search.candidates.filter { $0.isFewOfBoth && !said.contains($0.items) }.compactMap { byItem[$0.items[0]] }
        return Why(
            definition: definition, converted: table.converted, dropped: table.forks.count - table.converted, leftOutOpen: forks.open,
            leftOutEarly: forks.early, leftOutSpoilt: forks.spoilt, tested: max(candidates.count, search.candidates.count),
            candidates: Array(candidates.sorted { $0.candidate.isSurer(than: $1.candidate) }.prefix(definition.top).map(\.candidate)),
            findings: findings.map { one in
                Why.Finding(
                    of: one.candidate.items.compactMap { byItem[$0] }, same: one.same.compactMap { byItem[$0] },
                    entered: one.candidate.forks.count, converted: table.convertedOf(one.candidate.forks), claim: one.claim)
            }, silence: silence, refused: refused.filter { $0.qValue <= FunnelResult.significance }.min { $0.isSurer(than: $1) },
            ids: values.counts.indices.filter { values.counts[$0] > WhyDefinition.mostValues }.map { values.name(ofPath: $0).name }
                .sorted(), input: input, unseenNames: seen.unseen(in: definition.funnel),
            unseenPaths: paths.unseen(in: definition.funnel, hasEvents: input.events > 0))
    }

    /// Calls `body` with the values that a fork's event and its session carry.
    private borrowing func forEachCell(of fork: WhyEvent, in session: Fingerprint, _ body: (UInt32) -> Void) {
        for cell in cells[starts[Int(fork.detail) - 1]..<starts[Int(fork.detail)]] { body(cell) }
        for cell in contexts[session]?.row(at: fork.time)?.values ?? [] { body(cell) }
    }

    /// All items (events' names, properties' values) that enough forks have and enough lack, each compared by itself.
    private borrowing func candidates(of table: WhyTable) -> [(item: Int, candidate: Why.Candidate)] {
        let (converted, dropped) = (table.converted, table.forks.count - table.converted)
        var found: [(item: Int, with: (Share, Share), odds: OddsRatio, pValue: Double)] = []
        let repeated = PropertyPath.text(SessionLine.repetition.path, in: .session)
        for (item, forks) in table.forksOf.enumerated() {
            // A path with too many values is an id, whose first values were kept all the same. The mark of a repetition is the writer's.
            if let path = table.paths[item], values.counts[path] > WhyDefinition.mostValues || values.name(ofPath: path).name == repeated {
                continue
            }
            let own = table.convertedOf(forks)
            let with = (Share(own, of: converted), Share(forks.count - own, of: dropped))
            guard forks.count >= definition.minCount, table.forks.count - forks.count >= definition.minCount,
                let difference = ShareDifference(with.0, with.1)
            else { continue }
            let odds = OddsRatio(converted: with.0, dropped: with.1) { table.logOddsVariance(forks, cells: $0) }
            found.append((item, with, odds, max(difference.pValue, odds.clusteredPValue)))
        }
        return zip(found, FalseDiscovery.qValues(found.map(\.pValue))).map { one, q in
            let value = one.item - records.names.count
            let (kind, name) =
                value < 0
                ? (kind: .event, name: String(decoding: records.names[one.item], as: UTF8.self))
                : values.name(ofPath: Int(values.pathOf[value]))
            let text = value < 0 ? nil : String(decoding: values.text(value), as: UTF8.self)
            let candidate = Why.Candidate(
                kind: kind, name: name, value: text, convertedWith: one.with.0.count, droppedWith: one.with.1.count,
                oddsRatio: one.odds.value, lower: one.odds.interval.lower, upper: one.odds.interval.upper, pValue: one.pValue,
                qValue: q ?? 1)
            return (one.item, candidate)
        }
    }
}

extension Why.Candidate {
    fileprivate func isSurer(than other: Why.Candidate) -> Bool {
        (pValue, kind.rawValue, name, value ?? "") < (other.pValue, other.kind.rawValue, other.name, other.value ?? "")
    }
}
