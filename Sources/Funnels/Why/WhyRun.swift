public import EventFiles
import TrackingEvents

/// Asks what goes with going on to a step, over event files.
///
/// ```swift
/// let funnel = try FunnelDefinition(steps: FunnelStep.parse("cart_added > checkout_started > payment_succeeded"))
/// let outcome = try WhyRun(WhyDefinition(funnel, step: 3)).why(reading: EventFileReader(paths: ["events/"]))
/// for candidate in outcome.why.candidates where candidate.holds { print(candidate.name, candidate.value ?? "", candidate.oddsRatio) }
/// ```
public struct WhyRun: Sendable {
    public let definition: WhyDefinition

    public init(_ definition: WhyDefinition) { self.definition = definition }

    /// Reads everything once and counts.
    ///
    /// Memory: 40 bytes for each event that has a key, 16 and 4 for each property of events that can be the fork, 16 and 4 for each value
    /// of a session's context, 16 to 37 for each id, and the reader's buffers.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Throws: `EventFileReadError` where a file cannot be read at all. Damage inside a file is counted and does not throw.
    /// - Complexity: O(bytes + events), if each key's events stand nearly in the order of time.
    public func why(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> Why.Outcome {
        let (definition, plan) = (definition, CompiledFunnel([definition.funnel]))
        var accumulator = WhyAccumulator(definition, plan)
        let report = try reader.read(definition.summaryNeeds, threads: threads, progress: progress) {
            WhyBatch(definition, plan, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return Why.Outcome(why: try accumulator.why(report), reading: report)
    }
}

/// Keeps what the batches hold, and at the end asks each key.
struct WhyAccumulator: ~Copyable {
    /// What a session began with.
    private struct Context {
        var time: Int64
        var cells: Range<Int>
    }

    private let definition: WhyDefinition
    private let plan: CompiledFunnel
    private var tally = BatchTally()
    private var records = RecordStore<WhyEvent>()
    private var identities = Identities()
    private var names = NameTable()
    private var withoutKey = 0
    private var values = ValueTable(pathLimit: .max)
    /// How many different values each path has.
    private var valueCounts: [Int] = []
    /// For each event that can be a fork its session, and where its cells begin; one more at the end.
    private var sessions: [Fingerprint] = []
    private var starts: [Int] = [0]
    private var cells: [UInt32] = []
    private var contexts: [Fingerprint: [Context]] = [:]
    private var contextCells: [UInt32] = []
    private var asked = SessionContexts()
    private var paths: SeenPaths

    /// - Parameter plan: of the definition's funnel alone.
    init(_ definition: WhyDefinition, _ plan: CompiledFunnel) {
        self.definition = definition
        self.plan = plan
        paths = SeenPaths(plan)
    }

    /// Takes the next batch, in the order of the data.
    mutating func take(_ batch: WhyBatch) {
        let events = batch.events
        tally.take(events.head)
        for line in events.identified { identities.add(line) }
        for line in batch.sessionLines { asked.add(line) }
        paths.add(batch.paths)
        withoutKey += tally.count(missingIn: events.keys)
        let numbers = names.numbers(of: events.names)
        let numberOfValue = values.numbers(of: batch.values, counts: &valueCounts, atMost: WhyDefinition.mostValues)
        takeContexts(batch, numberOfValue)
        var fork = 0
        for event in events.nameNumbers.indices {
            let isFork = fork < batch.forks.count && Int(batch.forks[fork]) == event
            defer { if isFork { fork += 1 } }
            let key = events.keys[event]
            if key.isNone || tally.isDuplicate(event) { continue }
            if !events.leftOut.isEmpty && events.leftOut[event] { continue }
            var detail: UInt32 = 0
            if isFork {
                Self.add(batch.cells[Int(batch.starts[fork])..<Int(batch.starts[fork + 1])], numberOfValue, to: &cells)
                sessions.append(batch.sessions[fork])
                starts.append(cells.count)
                detail = UInt32(sessions.count)
            }
            let bits = batch.bits[event]
            records.append(
                FunnelRecord(
                    key: key,
                    event: WhyEvent(
                        time: events.times[event], steps: UInt32(truncatingIfNeeded: bits),
                        exclusions: UInt32(truncatingIfNeeded: bits >> 32),
                        name: UInt32(numbers[Int(events.nameNumbers[event])]), detail: detail)))
        }
    }

    private mutating func takeContexts(_ batch: WhyBatch, _ numberOfValue: [UInt32]) {
        for index in batch.contexts.indices {
            let start = contextCells.count
            let found = batch.contextCells[Int(batch.contextStarts[index])..<Int(batch.contextStarts[index + 1])]
            Self.add(found, numberOfValue, to: &contextCells)
            contexts[batch.contexts[index], default: []].append(Context(time: batch.contextTimes[index], cells: start..<contextCells.count))
        }
    }

    /// Adds a batch's cells by the numbers that their values have among all, without those that are not kept.
    private static func add(_ found: ArraySlice<UInt32>, _ numberOfValue: [UInt32], to cells: inout [UInt32]) {
        for cell in found where numberOfValue[Int(cell)] != ValueTable.none { cells.append(numberOfValue[Int(cell)]) }
    }

    /// - Parameter report: of the reading that gave the batches.
    consuming func why(_ report: ReadResult) throws -> Why {
        var input = tally.finish(report)
        input.withoutKey = withoutKey
        if !identities.isEmpty {
            let joined = identities.joined
            records.rekey { joined[$0] }
        }
        asked.sort()
        let end = definition.funnel.dataEnd ?? tally.days.end(before: definition.funnel.windowMilliseconds)?.milliseconds
        let forks = try WhyForks(definition, first: input.firstMilliseconds ?? 0, dataEnd: end ?? 0)
        let (cohort, questions) = (plan.funnels[0].cohort, plan.funnels[0].questions)
        var counter = WhyCounter(names: names.names.count, values: values.values.count)
        var answered: [WhyEvent] = []
        for part in 0..<RecordStoreLayout.partCount {
            records.forEachKey(inPart: part) { key, events in
                guard cohort.admits(key) else { return }
                if questions.isEmpty {
                    counter.add(forks.fate(of: events)) { fork, body in cellsOfFork(fork, body) }
                } else {
                    answered.removeAll(keepingCapacity: true)
                    for event in events { answered.append(self.answered(event)) }
                    let fate = answered.withUnsafeBufferPointer { forks.fate(of: $0) }
                    counter.add(fate) { fork, body in cellsOfFork(fork, body) }
                }
            }
        }
        var seen = SeenNames()
        for name in names.names { seen.insert(name) }
        let candidates = counter.candidates(definition, names: names.names, values: values, counts: valueCounts)
        return Why(
            definition: definition, converted: counter.converted, dropped: counter.dropped, leftOutOpen: counter.open,
            leftOutEarly: counter.early, leftOutSpoilt: counter.spoilt, tested: candidates.count,
            candidates: Array(candidates.prefix(definition.top)),
            ids: valueCounts.indices.filter { valueCounts[$0] > WhyDefinition.mostValues }.map { values.name(ofPath: $0).name }.sorted(),
            input: input, unseenNames: seen.unseen(in: definition.funnel),
            unseenPaths: paths.unseen(in: definition.funnel, hasEvents: input.events > 0))
    }

    /// The event without the steps and exclusions whose tests of the session do not hold.
    private borrowing func answered(_ event: WhyEvent) -> WhyEvent {
        guard event.detail > 0 else { return event }
        let asking = StepEvent(time: event.time, steps: event.steps, exclusions: event.exclusions)
        let answer = plan.funnels[0].questions.answered(asking, in: sessions[Int(event.detail) - 1], asked)
        var event = event
        (event.steps, event.exclusions) = (answer.steps, answer.exclusions)
        return event
    }

    /// Calls `body` with the values that a fork's event and its session carry.
    private borrowing func cellsOfFork(_ fork: WhyEvent, _ body: (UInt32) -> Void) {
        let detail = Int(fork.detail) - 1
        for cell in cells[starts[detail]..<starts[detail + 1]] { body(cell) }
        guard let lines = contexts[sessions[detail]] else { return }
        // The latest line at or before the event, else the first.
        let known = lines.filter { $0.time <= fork.time }.max { $0.time < $1.time } ?? lines.min { $0.time < $1.time }
        if let known { for cell in contextCells[known.cells] { body(cell) } }
    }
}

/// Counts who has what.
private struct WhyCounter {
    private struct Counts {
        var converted = 0
        var dropped = 0
        /// The number of the key that was counted last, so that a key counts once.
        var last = 0
    }

    private(set) var converted = 0
    private(set) var dropped = 0
    private(set) var open = 0
    private(set) var early = 0
    private(set) var spoilt = 0
    private var ofNames: [Counts]
    private var ofValues: [Counts]

    init(names: Int, values: Int) {
        ofNames = Array(repeating: Counts(), count: names)
        ofValues = Array(repeating: Counts(), count: values)
    }

    mutating func add(_ fate: WhyForks.Fate, cells: (WhyEvent, (UInt32) -> Void) -> Void) {
        switch fate {
        case .none: return
        case .open: open += 1
        case .early: early += 1
        case .spoilt: spoilt += 1
        case .counted(let isConverted, let fork, let before):
            if isConverted { converted += 1 } else { dropped += 1 }
            let key = converted + dropped
            for event in before { Self.count(&ofNames[Int(event.name)], isConverted, key) }
            cells(fork) { Self.count(&ofValues[Int($0)], isConverted, key) }
        }
    }

    private static func count(_ counts: inout Counts, _ isConverted: Bool, _ key: Int) {
        guard counts.last != key else { return }
        counts.last = key
        if isConverted { counts.converted += 1 } else { counts.dropped += 1 }
    }

    /// All that enough keys have and lack, the most certain first.
    func candidates(_ definition: WhyDefinition, names: [[UInt8]], values: ValueTable, counts: [Int]) -> [Why.Candidate] {
        var found: [(kind: Why.Kind, name: String, value: String?, Counts, difference: ShareDifference)] = []
        func consider(_ counts: Counts, _ describe: () -> (Why.Kind, String, String?)) {
            let with = counts.converted + counts.dropped
            guard with >= definition.minCount, converted + dropped - with >= definition.minCount,
                let difference = ShareDifference(Share(counts.converted, of: converted), Share(counts.dropped, of: dropped))
            else { return }
            let (kind, name, value) = describe()
            found.append((kind, name, value, counts, difference))
        }
        for (index, counts) in ofNames.enumerated() {
            consider(counts) { (.event, String(decoding: names[index], as: UTF8.self), nil) }
        }
        for (index, ofValue) in ofValues.enumerated() {
            let value = values.values[index]
            // Some of an id's values were kept before there were too many.
            if counts[value.path] > WhyDefinition.mostValues { continue }
            consider(ofValue) {
                let (kind, name) = values.name(ofPath: value.path)
                return (kind, name, String(decoding: value.text, as: UTF8.self))
            }
        }
        let qValues = FalseDiscovery.qValues(found.map(\.difference.pValue))
        let candidates = zip(found, qValues).map { one, q in
            let odds = OddsRatio(converted: Share(one.3.converted, of: converted), dropped: Share(one.3.dropped, of: dropped))
            return Why.Candidate(
                kind: one.kind, name: one.name, value: one.value, convertedWith: one.3.converted, droppedWith: one.3.dropped,
                oddsRatio: odds.value, lower: odds.interval.lower, upper: odds.interval.upper, pValue: one.difference.pValue,
                qValue: q ?? 1)
        }
        return candidates.sorted {
            if $0.pValue != $1.pValue { return $0.pValue < $1.pValue }
            return ($0.kind.rawValue, $0.name, $0.value ?? "") < ($1.kind.rawValue, $1.name, $1.value ?? "")
        }
    }
}
