import EventFiles

/// What funnels keep of one batch of lines: made on whatever thread decoded it, added up in the order of the batches.
struct FunnelBatch: Sendable {
    var head: BatchHead
    /// For each different key, for each event: the fingerprint of its value, ``Fingerprint/unread`` where no funnel
    /// wants the event.
    private(set) var keys: [[Fingerprint]]
    private(set) var matches: [FunnelMatches]
    private(set) var identified: [IdentifiedLine] = []
    private(set) var sessionLines: [SessionLine] = []
    /// Of events that a funnel may want, and of lines that begin sessions.
    private(set) var eventPaths: SeenPaths
    private(set) var sessionPaths: SeenPaths
    /// For each different key the texts of those events that a funnel wants, if the plan keeps them.
    private(set) var keyTexts: [NameTable]
    /// Names that occurred.
    var names: [[UInt8]] { table.names }

    private let plan: FunnelPlan
    private var table = NameTable()
    /// For each name of the table, for each funnel: the steps and exclusions that the name fits.
    private var bitsByName: [UInt64] = []
    /// For each name of the table: whether any funnel may want it.
    private var isWantedByName: [Bool] = []
    private var wanted: [Bool]
    /// For each name of a summary its number in the table; -1 before it came.
    private var numberOfCode: [Int] = []
    /// Whether all that is asked of an event that nobody wants is whether it has a user.
    private let asksForUsersOnly: Bool

    /// - Parameter lines: about how many there will be.
    init(_ plan: FunnelPlan, expecting lines: Int) {
        self.plan = plan
        head = BatchHead(expecting: lines)
        eventPaths = SeenPaths(count: plan.eventPaths.count)
        sessionPaths = SeenPaths(count: plan.sessionPaths.count)
        keys = plan.keys.map { _ in
            var column: [Fingerprint] = []
            column.reserveCapacity(lines)
            return column
        }
        keyTexts = plan.keepsKeys ? plan.keys.map { _ in NameTable() } : []
        // One funnel often wants every second event; many share the room, so that they do not take it many times.
        matches = plan.definitions.map { _ in FunnelMatches(expecting: lines / 2 / plan.definitions.count) }
        wanted = Array(repeating: false, count: plan.keys.count)
        if plan.keys.count == 1, case .user = plan.keys[0] { asksForUsersOnly = true } else { asksForUsersOnly = false }
    }

    @inline(__always)
    mutating func pass(_ glance: EventGlance) -> Bool {
        guard asksForUsersOnly, glance.nameCode < numberOfCode.count else { return false }
        let name = numberOfCode[glance.nameCode]
        guard name >= 0, !isWantedByName[name] else { return false }
        head.take(glance)
        keys[0].append(glance.hasUser ? .unread : .none)
        return true
    }

    /// Takes the next line.
    mutating func take(_ line: EventHead) {
        guard head.take(line) else {
            if let anonymous = plan.anonymous, let line = IdentifiedLine(line, anonymous) { identified.append(line) }
            if !plan.sessionPaths.isEmpty, let found = SessionLine(line, plan.sessionPaths) {
                sessionLines.append(found)
                sessionPaths.look(for: plan.sessionPaths, in: line.props)
            }
            return
        }
        let name = number(ofNameOf: line)
        if !isWantedByName[name] {
            for place in keys.indices { keys[place].append(plan.keys[place].fingerprint(line, isWanted: false)) }
            return
        }
        eventPaths.look(for: plan.eventPaths, in: line.props)
        for key in wanted.indices { wanted[key] = false }
        for funnel in plan.matchers.indices {
            let byName = bitsByName[name * plan.matchers.count + funnel]
            guard byName != 0 || plan.matchers[funnel].takesAll else { continue }
            let bits = plan.matchers[funnel].steps(of: byName, holdingFor: line.props)
            guard bits != 0 || plan.matchers[funnel].takesAll else { continue }
            if plan.cohorts[funnel].asksLines && !plan.cohorts[funnel].admits(line) { continue }
            wanted[plan.keyOf[funnel]] = true
            matches[funnel].add(bits, event: head.events - 1, line, plan, funnel: funnel)
        }
        for (place, key) in plan.keys.enumerated() { keys[place].append(key.fingerprint(line, isWanted: wanted[place])) }
        if plan.keepsKeys { keepTexts(line) }
    }

    @inline(__always)
    private mutating func number(ofNameOf line: EventHead) -> Int {
        if line.nameCode >= 0, line.nameCode < numberOfCode.count, numberOfCode[line.nameCode] >= 0 { return numberOfCode[line.nameCode] }
        var isNew = false
        let name = table.number(of: line.name, isNew: &isNew)
        if isNew { learn(name) }
        if line.nameCode >= 0 {
            while numberOfCode.count <= line.nameCode { numberOfCode.append(-1) }
            numberOfCode[line.nameCode] = name
        }
        return name
    }

    private mutating func learn(_ name: Int) {
        let bits = plan.matchers.map { $0.steps(named: table.names[name]) }
        bitsByName += bits
        isWantedByName.append(bits.contains { $0 != 0 } || plan.matchers.contains { $0.takesAll })
    }

    private mutating func keepTexts(_ line: EventHead) {
        for (place, key) in plan.keys.enumerated() where wanted[place] {
            var isNew = false
            key.withText(line) { _ = keyTexts[place].number(of: $0, isNew: &isNew) }
        }
    }
}
