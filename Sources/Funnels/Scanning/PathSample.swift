/// The properties of some events and sessions of a batch, among which the nearest to a missing property is looked for.
///
/// Of a summary it looks at the rows that a ``FunnelBatch`` of the same lines looks at, and at no others.
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
