import EventFiles

/// Which properties some events and sessions of a batch have: one of them may be meant by a property that is asked for and missing.
///
/// It looks at the same rows of summaries as a ``FunnelBatch`` and at no more of them than it needs.
struct PathSample: DecodedBatch {
    private(set) var paths: SeenPaths
    private let plan: CompiledFunnel

    init(_ plan: CompiledFunnel) {
        self.plan = plan
        paths = SeenPaths(plan)
    }

    mutating func take(_ line: EventHead) {
        if SessionLine.isOne(line) { return paths.lookAtSession(line.props) }
        if line.kind == .event, plan.wants(name: Array(line.name)) { paths.lookAtEvent(line.properties) }
    }

    mutating func take(_ rows: inout SummaryRows) {
        while !paths.hasEnough {
            // Further events are passed over, so that their properties need not be put together.
            if paths.hasEnoughEvents { _ = rows.nextEvents() }
            guard let line = rows.next() else { return }
            take(line)
        }
    }
}
