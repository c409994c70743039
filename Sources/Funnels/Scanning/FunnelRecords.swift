import EventFiles

/// The records of one funnel, with values for breakdowns and held properties only where it has them.
struct FunnelRecords: ~Copyable {
    private var plain = RecordStore<StepEvent>()
    private var grouped = RecordStore<GroupEvent>()
    private let hasGroups: Bool
    private let holds: Bool
    private let countsVisits: Bool
    /// Events whose sessions are asked about, until all is read.
    private var waiting: [(record: FunnelRecord<GroupEvent>, session: Fingerprint)] = []
    /// Values of the breakdown, by their numbers.
    private var values = NameTable()

    init(_ funnel: CompiledFunnel.Single) {
        hasGroups = funnel.hasGroups
        holds = funnel.hold != nil
        countsVisits = funnel.definition.counting == .visits
    }

    /// The values of the breakdown; a group's number is the index here and 1, and 0 is the group of keys without a value.
    var valueTexts: [[UInt8]] { values.names }

    /// Takes a batch's events of this funnel.
    ///
    /// - Parameter duplicates: for all events of the batch whether they count no more; empty if none is.
    mutating func take(_ matches: FunnelMatches, duplicates: [Bool]) {
        // For each value of the batch its number among all, from 1.
        let numbers = hasGroups ? values.numbers(of: matches.valueTable.names).map { UInt32($0) + 1 } : []
        for (index, match) in matches.all.enumerated() {
            let key = match.key
            if key.isNone || !duplicates.isEmpty && duplicates[Int(match.event)] { continue }
            if !hasGroups && matches.sessions.isEmpty {
                plain.append(FunnelRecord(key: key, event: matches.event(index)))
                continue
            }
            // What has no value of the held property belongs to no chain.
            let hold = matches.holds.isEmpty ? .none : matches.holds[index]
            if holds && hold.isNone { continue }
            let value = matches.values.isEmpty || matches.values[index] == 0 ? 0 : numbers[Int(matches.values[index]) - 1]
            let record = FunnelRecord(key: key, event: GroupEvent(event: matches.event(index), value: value, hold: hold))
            if matches.sessions.isEmpty { grouped.append(record) } else { waiting.append((record, matches.sessions[index])) }
        }
    }

    /// Takes the events that waited, now that all sessions are known.
    ///
    /// - Parameter keepsAll: whether events that fit nothing are kept.
    mutating func answer(_ questions: SessionQuestions, _ contexts: SessionContexts, keepsAll: Bool) {
        for (record, session) in waiting {
            var record = record
            let time = record.event.time
            record.event.event = questions.answered(record.event.event, in: session, contexts)
            if record.event.event.steps == 0 && record.event.event.exclusions == 0 && !keepsAll { continue }
            if let path = questions.key {
                guard let value = contexts.value(path, of: session, at: time) else { continue }
                record.key = value.withUnsafeBytes { Fingerprint.of($0) }
            }
            if let path = questions.breakdown, let value = contexts.value(path, of: session, at: time) {
                record.event.value = UInt32(value.withUnsafeBytes { values.number(of: $0) }) + 1
            }
            if hasGroups { grouped.append(record) } else { plain.append(FunnelRecord(key: record.key, event: record.event.event)) }
        }
        waiting = []
    }

    /// Gives the records of some keys to other keys.
    mutating func rekey(_ newKey: (Fingerprint) -> Fingerprint?) {
        if hasGroups { grouped.rekey(newKey) } else { plain.rekey(newKey) }
    }

    /// Calls `body` with each key's events by rising time, and with the number of each one's value; without values the numbers are empty.
    func forEachKey(_ cohort: CohortTest, _ body: (UnsafeBufferPointer<StepEvent>, [UInt32]) -> Void) {
        guard hasGroups else { return plain.forEachKey(of: cohort) { body($1, []) } }
        grouped.forEachKey(of: cohort) { _, events in
            events.map(\.event).withUnsafeBufferPointer { body($0, events.map(\.value)) }
        }
    }

    /// Calls `body` with each chain that counts, its key, its group's number and for what it counts.
    ///
    /// - Parameters:
    ///   - starts: which starts are followed.
    ///   - users: for anonymous users whom they became.
    ///   - dataEnd: in milliseconds since 1970 UTC.
    func forEachChain(
        _ definition: FunnelDefinition, _ cohort: CohortTest, _ starts: StartSelection, _ users: [Fingerprint: Fingerprint], dataEnd: Int64,
        _ body: (Fingerprint, FunnelChain, UInt32, StartSelection.Part) -> Void
    ) {
        let engine = definition.engine()
        var starts = starts
        if countsVisits {
            let fold = VisitFold(definition, engine, values: values.names)
            forEachUnit(definition, cohort) { key, events in
                fold.follow(key, events, dataEnd: dataEnd) { chain, visit in
                    var visit = visit
                    visit.user = users[visit.user] ?? visit.user
                    for part in starts.parts(of: visit, of: key) { body(key, chain, visit.group, part) }
                }
            }
        } else if hasGroups {
            let fold = GroupFold(definition, engine, values: values.names)
            forEachUnit(definition, cohort) { key, events in
                fold.follow(events, starts.parts(of: events, of: key), dataEnd: dataEnd) { body(key, $0, $1, $2) }
            }
        } else {
            plain.forEachKey(of: cohort) { key, events in
                for part in starts.parts(of: events, of: key) {
                    engine.limitStarts(to: part.range)
                    let reached = events.reached(from: part.range, window: definition.windowMilliseconds)
                    engine.follow(reached, dataEnd: dataEnd) { body(key, $0, 0, part) }
                }
            }
        }
    }

    /// Calls `body` with the events that count as one, by rising time: those of a key, or of a key and a value.
    private func forEachUnit(
        _ definition: FunnelDefinition, _ cohort: CohortTest, _ body: (Fingerprint, UnsafeBufferPointer<GroupEvent>) -> Void
    ) {
        grouped.forEachKey(of: cohort) { key, events in
            guard definition.breakdown?.attribution == .all else { return body(key, events) }
            events.sorted { ($0.value, $0.time) < ($1.value, $1.time) }.withUnsafeBufferPointer { events in
                events.forEachRun(sameAs: { $0.value == $1.value }) { body(key, $0) }
            }
        }
    }
}
