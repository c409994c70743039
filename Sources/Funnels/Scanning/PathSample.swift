import EventFiles

/// Which properties some events and sessions of a batch have, for those that a funnel asks about and that did not occur.
///
/// It looks at the same lines as a ``FunnelBatch`` and at no more of them than it needs.
struct PathSample: DecodedBatch {
    private(set) var paths: SeenPaths
    private let plan: CompiledFunnel
    private var table = NameTable()
    /// For each name of the table whether a funnel may want it.
    private var isWanted: [Bool] = []

    init(_ plan: CompiledFunnel) {
        self.plan = plan
        paths = SeenPaths(plan)
    }

    mutating func take(_ line: EventHead) {
        guard line.kind == .event else {
            if SessionLine.isOne(line) { paths.lookAtSession(line.props) }
            return
        }
        let name = table.number(of: line.name)
        if name == isWanted.count { isWanted.append(plan.wants(name: table.names[name])) }
        if isWanted[name] { paths.lookAtEvent(line.props) }
    }

    mutating func take(_ rows: inout SummaryRows) {
        while !paths.hasEnough {
            // The properties of further events need not be put together.
            if paths.hasEnoughEvents { _ = rows.nextEvents() }
            guard let line = rows.next() else { return }
            take(line)
        }
    }

    mutating func takeBadLine() {}
    mutating func adopt(_ facts: SummaryBatchFacts) {}
}
