/// What funnels keep of one batch of lines: made on whatever thread decoded it, added up in the order of the batches.
struct FunnelBatch: Sendable {
    /// The events of the batch that one funnel wants, column by column.
    struct Matches: Sendable {
        /// Which event of the batch.
        var events: [UInt32] = []
        var times: [Int64] = []
        var steps: [UInt32] = []
    }

    var head: BatchHead
    /// For each different key, for each event: the fingerprint of its value, 0 where the event has none. Where no funnel wants
    /// the event it is only known that there is one.
    private(set) var keys: [[UInt64]]
    private(set) var matches: [Matches]
    /// Names that occurred.
    var names: [[UInt8]] { table.names }

    private let plan: FunnelPlan
    private var table = NameTable()
    /// For each name of the table, for each funnel: the steps that the name fits.
    private var stepsByName: [UInt32] = []
    private var wanted: [Bool]

    /// - Parameter lines: about how many there will be.
    init(_ plan: FunnelPlan, expecting lines: Int) {
        self.plan = plan
        head = BatchHead(expecting: lines)
        keys = plan.keys.map { _ in
            var column: [UInt64] = []
            column.reserveCapacity(lines)
            return column
        }
        matches = Array(repeating: Matches(), count: plan.definitions.count)
        wanted = Array(repeating: false, count: plan.keys.count)
    }

    /// Takes the next line.
    mutating func take(_ line: EventHead) {
        guard head.take(line) else { return }
        var isNew = false
        let name = table.number(of: line.name, isNew: &isNew)
        if isNew { stepsByName += plan.matchers.map { $0.steps(named: table.names[name]) } }
        for key in wanted.indices { wanted[key] = false }
        for funnel in plan.matchers.indices {
            let byName = stepsByName[name * plan.matchers.count + funnel]
            guard byName != 0 else { continue }
            let steps = plan.matchers[funnel].steps(of: byName, holdingFor: line.props)
            guard steps != 0 else { continue }
            wanted[plan.keyOf[funnel]] = true
            matches[funnel].events.append(UInt32(head.events - 1))
            matches[funnel].times.append(line.time)
            matches[funnel].steps.append(steps)
        }
        for (place, key) in plan.keys.enumerated() { keys[place].append(key.fingerprint(line, isWanted: wanted[place])) }
    }
}
