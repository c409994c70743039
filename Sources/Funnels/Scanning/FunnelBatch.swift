import EventFiles

/// What funnels keep of one batch of lines: made on whatever thread decoded it, added up in the order of the batches.
struct FunnelBatch: HeadedBatch {
    static var takesWholeGroups: Bool { true }
    var head: BatchHead
    /// For each different key, the numbers of the events without it. Those without a user are in the head.
    private(set) var withoutKey: [[UInt32]]
    /// Each event's session and time, if any key is the session's context.
    private(set) var sessions: [(session: Fingerprint, time: Int64)] = []
    private(set) var matches: [FunnelMatches]
    /// The numbers of the events' keys, sessions and held values.
    private(set) var numbers: FingerprintNumbers
    /// The events for the catalogue; `nil` if none is wanted.
    private(set) var listed: CatalogueBatch?
    private(set) var identified: [IdentifiedLine] = []
    private(set) var sessionLines: [SessionLine] = []
    /// The paths of events that a funnel may want, and of lines that begin sessions.
    private(set) var paths: SeenPaths
    /// The texts of the keys of those events that a funnel wants, if they are kept.
    private(set) var keyTexts = NameTable()
    var names: [[UInt8]] { table.names }

    private let plan: CompiledFunnel
    private var table = NameTable()
    /// For each name of the table, for each funnel: the steps and exclusions that the name fits.
    private var bitsByName: [UInt64] = []
    private var isWantedByName: [Bool] = []
    /// For each different key, the number of its value in the last event; ``unread`` where no funnel asked for it.
    private var keys: [UInt32]
    private static let unread = UInt32.max
    /// For each user and each session of a summary, its number in ``numbers``; ``unread`` until it comes.
    private var numberOfUser: [UInt32] = []
    private var numberOfSession: [UInt32] = []
    /// For each name of a summary, its number in the table; -1 until the name comes.
    private var numberOfCode: [Int] = []
    /// For each name of a summary, whether its events are looked at: 1 until the name has come and no funnel wants it, then 0.
    private var isTaken: [UInt8] = []
    /// Whether all keys are users. Then an event that no funnel wants only has to be checked for a user.
    private let asksForUsersOnly: Bool
    private let asksForSessions: Bool
    /// When each session had its last event, if that is asked for.
    private(set) var lastOfSession: [Fingerprint: Int64] = [:]

    /// - Parameter lines: about how many there will be.
    init(_ plan: CompiledFunnel, expecting lines: Int) {
        self.plan = plan
        head = BatchHead(expecting: lines)
        numbers = FingerprintNumbers(expecting: lines / 16)
        _ = numbers.number(of: .none)
        paths = SeenPaths(plan)
        withoutKey = plan.keys.map { _ in [] }
        keys = plan.keys.map { _ in Self.unread }
        listed = plan.catalogue.map { CatalogueBatch(cohort: CohortTest($0.cohort, countedBy: nil), expecting: lines) }
        asksForSessions = plan.keys.contains { if case .context = $0 { true } else { false } }
        // One funnel often wants every second event. Several funnels share the room for that many, so that it is not taken several times.
        matches = plan.keeping.map { _ in FunnelMatches(expecting: lines / 2 / plan.keeping.count) }
        asksForUsersOnly = plan.keys.allSatisfy(\.isUser)
    }

    /// Frees the memory that only helps to take further lines.
    mutating func pack() { head.sequences.pack() }

    mutating func take(_ line: EventHead) {
        guard head.take(line) else { return takeMeta(line) }
        let event = head.events - 1
        match(line, event: event)
        listed?.note(line)
        if !asksForUsersOnly {
            for index in keys.indices where !plan.keys[index].isUser {
                let isMissing = keys[index] == Self.unread ? plan.keys[index].withText(line) { $0.isEmpty } : keys[index] == 0
                if isMissing { withoutKey[index].append(UInt32(event)) }
            }
        }
        if asksForSessions { sessions.append((line.session.fingerprint, line.time)) }
        guard plan.asksForSilence, !line.session.isEmpty else { return }
        let session = Fingerprint.of(line.session)
        if lastOfSession[session, default: .min] < line.time { lastOfSession[session] = line.time }
    }

    private mutating func takeMeta(_ line: EventHead) {
        if plan.joins, let line = IdentifiedLine(line) { identified.append(line) }
        if plan.asksProperties, let found = SessionLine(line, plan.sessionPaths) {
            if !plan.sessionPaths.isEmpty { sessionLines.append(found) }
            paths.lookAtSession(line.props)
        }
    }

    /// Takes the rows of a portion. Only events whose name a funnel wants are put together, if nothing is asked of the others.
    mutating func take(_ rows: inout SummaryRows) {
        guard asksForUsersOnly, listed == nil else {
            while let line = rows.next() { take(line) }
            return
        }
        isTaken = Array(repeating: 1, count: rows.nameCount)
        while !rows.portion.isEmpty {
            let (events, before) = head.takeEvents(of: &rows)
            var rest = events
            if plan.isPlain { takePlainly(&rest, of: &rows, before) }
            while let some = rows.next(of: &rest, named: isTaken) {
                for row in some where isTaken[Int(rows.nameCodes[row])] == 1 {
                    if !match(rows.event(row), event: before + row) { isTaken[Int(rows.nameCodes[row])] = 0 }
                }
            }
            if let meta = rows.next() { take(meta) }
        }
    }

    /// Does what ``match(_:event:)`` does for plain funnels, which need less of each event. With five steps it takes an eighth less time.
    private mutating func takePlainly(_ rest: inout Range<Int>, of rows: inout SummaryRows, _ before: Int) {
        var found: [FunnelMatches] = []
        swap(&found, &matches)
        let plan = plan
        let countsVisits = plan.funnels.contains { $0.definition.counting == .visits }
        let (asks, hasValues, tested) = (plan.asksProperties, plan.keeping.map(\.hasValues), plan.keeping.map(\.matcher.tested))
        let columns = plan.keeping.map { funnel in funnel.breakdown.first.flatMap { rows.properties.textColumn(at: $0) } }
        while let some = rows.next(of: &rest, named: isTaken) {
            for row in some {
                let code = Int(rows.nameCodes[row])
                let isKnown = code < numberOfCode.count && numberOfCode[code] >= 0
                if !isKnown { isTaken[code] = isWantedByName[number(ofNameOf: rows.event(row))] ? 1 : 0 }
                if isTaken[code] == 0 { continue }
                var (key, visitor) = (Self.unread, UInt32(0))
                if let user = rows.userNumber(row) { if user < numberOfUser.count { key = numberOfUser[user] } } else { key = 0 }
                if key == Self.unread { key = number(ofKey: 0, on: rows.event(row)) }
                if countsVisits, let session = rows.sessionNumber(row) {
                    let known = session < numberOfSession.count ? numberOfSession[session] : Self.unread
                    visitor = known != Self.unread ? known : number(ofVisitorOf: rows.event(row), for: .user)
                }
                if asks { paths.lookAtEvent(rows.properties(row)) }
                for funnel in found.indices {
                    var steps = bitsByName[numberOfCode[code] * found.count + funnel]
                    if steps & tested[funnel] != 0 {
                        steps = plan.keeping[funnel].matcher.steps(of: steps, holdingFor: rows.properties(row))
                    }
                    if steps == 0 { continue }
                    var event = StepEvent(time: rows.times[row], steps: UInt32(truncatingIfNeeded: steps), hold: visitor)
                    if hasValues[funnel] {
                        // A variable of its own, so that an event without a value need not go through memory.
                        var valued = event
                        let text = columns[funnel].flatMap { rows.properties.textNumber(inColumn: $0, at: row) }
                        found[funnel].addValue(to: &valued, text, rows.event(row), plan.keeping[funnel], &numbers)
                        event = valued
                    }
                    found[funnel].all.append(FunnelMatches.Match(event: event, key: key, index: UInt32(before + row)))
                }
            }
        }
        swap(&found, &matches)
    }

    private mutating func number(ofKey key: Int, on line: EventHead) -> UInt32 {
        plan.keys[key].isUser ? number(ofUserOf: line) : UInt32(numbers.number(of: plan.keys[key].fingerprint(line)))
    }

    private mutating func number(ofUserOf line: EventHead) -> UInt32 { Self.number(of: line.user, line.userCode, &numberOfUser, &numbers) }

    /// What tells visits apart: the event's session, or its user where sessions are keys.
    private mutating func number(ofVisitorOf line: EventHead, for key: FunnelKey) -> UInt32 {
        key == .session ? number(ofUserOf: line) : Self.number(of: line.session, line.sessionCode, &numberOfSession, &numbers)
    }

    /// - Parameter code: the text's number in a summary, by which `known` keeps its number here; -1 without a summary.
    private static func number(
        of text: UnsafeRawBufferPointer, _ code: Int, _ known: inout [UInt32], _ numbers: inout FingerprintNumbers
    ) -> UInt32 {
        guard code >= 0 else { return UInt32(numbers.number(of: text.fingerprint)) }
        if code >= known.count { known += repeatElement(unread, count: code + 1024 - known.count) }
        if known[code] == unread { known[code] = numbers.append(text.fingerprint) }
        return known[code]
    }

    /// Keeps what funnels want of an event that the head has taken; says whether any may want events of its name.
    ///
    /// - Parameter event: its number in the batch.
    @inline(__always) @discardableResult
    private mutating func match(_ line: EventHead, event: Int) -> Bool {
        for index in keys.indices { keys[index] = Self.unread }
        let name = number(ofNameOf: line)
        guard isWantedByName[name] else { return false }
        if plan.asksProperties { paths.lookAtEvent(line.properties) }
        for index in plan.keeping.indices {
            let funnel = plan.keeping[index]
            let byName = bitsByName[name * plan.keeping.count + index]
            guard byName != 0 || funnel.matcher.takesAll else { continue }
            let bits = funnel.matcher.steps(of: byName, holdingFor: line.properties)
            guard bits != 0 || funnel.matcher.takesAll else { continue }
            if funnel.cohort.asksLines && !funnel.cohort.admits(line) { continue }
            if keys[funnel.key] == Self.unread { keys[funnel.key] = number(ofKey: funnel.key, on: line) }
            let visitor = funnel.definition.counting == .visits ? number(ofVisitorOf: line, for: funnel.definition.key) : 0
            matches[index].add(bits, index: event, key: keys[funnel.key], visitor: visitor, line, funnel, &numbers)
            if funnel.cohort.asksUsers { matches[index].users.append(number(ofUserOf: line)) }
        }
        if plan.keepsKeys { keepTexts(line) }
        return true
    }

    @inline(__always)
    private mutating func number(ofNameOf line: EventHead) -> Int {
        if line.nameCode >= 0, line.nameCode < numberOfCode.count, numberOfCode[line.nameCode] >= 0 { return numberOfCode[line.nameCode] }
        let name = table.number(of: line.name)
        if name == isWantedByName.count { learn(name) }
        if line.nameCode >= 0 {
            while numberOfCode.count <= line.nameCode { numberOfCode.append(-1) }
            numberOfCode[line.nameCode] = name
        }
        return name
    }

    private mutating func learn(_ name: Int) {
        bitsByName += plan.keeping.map { $0.matcher.steps(named: table.names[name]) }
        isWantedByName.append(plan.wants(name: table.names[name]))
    }

    private mutating func keepTexts(_ line: EventHead) {
        for (index, key) in plan.keys.enumerated() where keys[index] != Self.unread {
            // A session's context is known by its line only.
            if case .context = key { continue }
            key.withText(line) { if !$0.isEmpty { _ = keyTexts.number(of: $0) } }
        }
    }
}
