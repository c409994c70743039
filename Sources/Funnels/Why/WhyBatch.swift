import EventFiles

/// What the question why keeps of one batch of lines.
struct WhyBatch: DecodedBatch {
    private(set) var events: CatalogueBatch
    /// For each event its steps and exclusions as ``StepMatcher`` gives them.
    private(set) var bits: [UInt64] = []
    /// Events that can be a start or a fork, or whose session is asked about. `forks` are their indices in the batch, `holds` their sessions
    /// (users where the key is the session). `starts` says where the cells of each begin in `cells`, with one more at the end.
    private(set) var forks: [UInt32] = []
    private(set) var holds: [Fingerprint] = []
    private(set) var starts: [UInt32] = [0]
    private(set) var cells: [UInt32] = []
    /// Lines that begin a session, with the numbers of their values.
    private(set) var began: [(session: Fingerprint, line: SessionRow<[UInt32]>)] = []
    /// What tests ask of lines that begin a session, and which of the properties that are asked about occurred.
    private(set) var sessionLines: [SessionLine] = []
    private(set) var paths: SeenPaths
    private(set) var values = ValueTable(pathLimit: Self.pathLimit)

    /// How many paths of a batch are told apart.
    static let pathLimit = 10_000

    private let plan: CompiledFunnel
    private let forkStep: UInt64
    private var bitsByName: [UInt64] = []

    /// - Parameter plan: of the definition's funnel alone.
    init(_ definition: WhyDefinition, _ plan: CompiledFunnel, expecting lines: Int) {
        self.plan = plan
        forkStep = UInt64(definition.forkStep)
        events = CatalogueBatch(plan.keys[0], joins: plan.joins, cohort: plan.funnels[0].cohort, expecting: lines)
        paths = SeenPaths(plan)
        bits.reserveCapacity(lines)
    }

    mutating func take(_ line: EventHead) {
        events.take(line)
        guard line.kind == .event, let name = events.nameNumbers.last.map(Int.init) else { return takeSession(line) }
        let (matcher, questions) = (plan.funnels[0].matcher, plan.funnels[0].questions)
        if name == bitsByName.count { bitsByName.append(matcher.steps(named: events.names[name])) }
        let named = bitsByName[name]
        if named != 0 { paths.lookAtEvent(line.properties) }
        let held = named == 0 ? 0 : matcher.steps(of: named, holdingFor: line.properties)
        bits.append(held)
        let isFork = held >> forkStep & 1 == 1
        guard isFork || held & (questions.asked | 1) != 0 else { return }
        forks.append(UInt32(bits.count - 1))
        let hold = plan.funnels[0].definition.key == .session ? line.user : line.session
        holds.append(hold.fingerprint)
        if isFork { values.add(line.props, of: .event, withEmpty: false, to: &cells) }
        starts.append(UInt32(cells.count))
    }

    private mutating func takeSession(_ line: EventHead) {
        guard let found = SessionLine(line, plan.sessionPaths) else { return }
        if !plan.sessionPaths.isEmpty { sessionLines.append(found) }
        paths.lookAtSession(line.props)
        began.append((found.session, values.row(line, withEmpty: false)))
    }

    mutating func takeBadLine() { events.takeBadLine() }
    mutating func adopt(_ facts: SummaryBatchFacts) { events.adopt(facts) }
}

extension ValueTable {
    /// Whether a path is of an event or of a session, and its name, such as `props.coupon` or `session.platform`.
    func name(ofPath number: Int) -> (kind: Why.Kind, name: String) {
        let property = property(atPath: number)
        return (property.source == .session ? .session : .property, PropertyPath.text(property.path, in: property.source))
    }
}
