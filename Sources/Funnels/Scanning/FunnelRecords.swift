import EventFiles

/// The events of one funnel, or of several that differ in their starts only, and the values of their breakdown.
struct FunnelRecords {
    private let funnel: CompiledFunnel.Single
    private var cohort: CohortTest
    private var store = RecordStore<StepEvent>()
    /// The number of each event's session, where the funnel asks about sessions, and of its user, where lists of users ask.
    private var sessions: [UInt32] = []
    private var users: [UInt32] = []
    private(set) var values = NameTable()

    init(_ funnel: CompiledFunnel.Single) { (self.funnel, cohort) = (funnel, funnel.cohort) }

    /// Takes a batch's events of this funnel.
    ///
    /// - Parameters:
    ///   - numbers: for each of the batch's numbers, the number among all.
    ///   - duplicates: for each event of the batch, whether it is a duplicate; empty if none is.
    mutating func take(_ matches: FunnelMatches, _ numbers: [UInt32], duplicates: [Bool]) {
        let valueNumbers = values.numbers(of: matches.valueTable.names)
        let holds = funnel.hold != nil
        for (index, match) in matches.all.enumerated() {
            if match.key == 0 || !duplicates.isEmpty && duplicates[Int(match.index)] { continue }
            // An event without a value of the held property belongs to no chain.
            if holds && match.event.hold == 0 { continue }
            var event = match.event
            if event.value != 0 { event.value = UInt32(valueNumbers[Int(event.value) - 1]) + 1 }
            if event.hold != 0 { event.hold = numbers[Int(event.hold)] }
            store.append(event, of: numbers[Int(match.key)])
            if !matches.sessions.isEmpty { sessions.append(numbers[Int(matches.sessions[index])]) }
            if !matches.users.isEmpty { users.append(numbers[Int(matches.users[index])]) }
        }
    }

    /// Joins anonymous ids to their users.
    ///
    /// - Parameter owners: see ``FingerprintNumbers/owners(_:)``.
    mutating func join(_ identities: Identities, _ owners: [UInt32]) {
        cohort.join(identities)
        for index in users.indices { users[index] = owners[Int(users[index])] }
        if funnel.joinsKeys { store.rekey(owners) }
    }

    /// Answers what is asked about the events' sessions and users, now that all are known and ids are joined.
    mutating func answer(_ contexts: SessionContexts, _ numbers: inout FingerprintNumbers) {
        let questions = funnel.questions
        if questions.isEmpty && users.isEmpty { return }
        var answered = RecordStore<StepEvent>()
        var groups = NameTable()
        var index = 0
        store.forEach { event, key in
            defer { index += 1 }
            if !users.isEmpty && !cohort.admits(user: numbers.all[Int(users[index])]) { return }
            let session = sessions.isEmpty ? Fingerprint.none : numbers.all[Int(sessions[index])]
            var (event, key) = (questions.answered(event, in: session, contexts), key)
            if event.steps | event.exclusions == 0 && !funnel.matcher.takesAll { return }
            if let path = questions.key {
                let value = contexts.key(path, of: session, at: event.time)
                if value.isNone { return }
                key = UInt32(numbers.number(of: value))
            }
            if !questions.breakdown.isEmpty {
                let own = event.value == 0 ? nil : values.names[Int(event.value) - 1]
                let group = FunnelBreakdown.group(
                    of: questions.breakdown.map { $0.map { contexts.value($0, of: session, at: event.time) } ?? own })
                event.value = group.map { UInt32($0.withUnsafeBytes { groups.number(of: $0) }) + 1 } ?? 0
            }
            answered.append(event, of: key)
        }
        (store, sessions, users) = (answered, [], [])
        if !questions.breakdown.isEmpty { values = groups }
    }

    mutating func sort(keys: Int) { store.sort(keys: keys) }

    /// Calls `body` with each key's events by rising time.
    func forEachKey(_ fingerprints: [Fingerprint], _ body: (UnsafeBufferPointer<StepEvent>) -> Void) {
        store.forEachKey(of: cohort, fingerprints) { body($1) }
    }

    /// Calls `body` with each chain that counts: its key, the chain, its group's number, and what it counts for.
    ///
    /// - Parameters:
    ///   - definition: that of one of the funnels whose events these are.
    ///   - fingerprints: those of keys, sessions and held values, by their numbers.
    ///   - owners: for each number, the number of the user that its anonymous id belongs to; empty if no id belongs to a user.
    func forEachChain(
        of definition: FunnelDefinition, _ fingerprints: [Fingerprint], _ owners: [UInt32], _ starts: StartSelection, dataEnd: Int64,
        _ body: (Fingerprint, FunnelChain, UInt32, StartSelection.Part) -> Void
    ) {
        let (engine, countsVisits) = (definition.engine(), definition.counting == .visits)
        let fold = GroupFold(definition, engine, values: values.names)
        let visits = VisitFold(definition, engine, values: values.names)
        var starts = starts
        forEachUnit(fingerprints) { number, events in
            let key = fingerprints[number]
            guard countsVisits else {
                return fold.follow(events, starts.parts(of: events, of: key), holds: fingerprints, dataEnd: dataEnd) {
                    body(key, $0, $1, $2)
                }
            }
            visits.follow(UInt32(number), events, dataEnd: dataEnd) { chain, visit in
                let user = fingerprints[Int(owners.isEmpty ? visit.user : owners[Int(visit.user)])]
                for part in starts.parts(of: visit, by: user, of: key) { body(key, chain, visit.group, part) }
            }
        }
    }

    /// Calls `body` with the events that are followed together, by rising time: those of a key, or those of a key and a value.
    private func forEachUnit(_ fingerprints: [Fingerprint], _ body: (Int, UnsafeBufferPointer<StepEvent>) -> Void) {
        store.forEachKey(of: cohort, fingerprints) { key, events in
            guard funnel.definition.breakdown?.attribution == .all else { return body(key, events) }
            events.sorted { ($0.value, $0.time) < ($1.value, $1.time) }.withUnsafeBufferPointer { events in
                events.forEachRun(sameAs: { $0.value == $1.value }) { body(key, $0) }
            }
        }
    }
}
