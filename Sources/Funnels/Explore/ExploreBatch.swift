import EventFiles

/// What an explore page keeps of one batch of lines: who, when and which values, for each event and each line that begins a session.
struct ExploreBatch: DecodedBatch {
    private(set) var events: CatalogueBatch
    /// For each event the fingerprint of its session.
    private(set) var sessions: [Fingerprint] = []
    /// The lines that begin sessions, with the numbers of their values.
    private(set) var began: [(session: Fingerprint, line: SessionRow<[UInt32]>)] = []
    /// The numbers of all events' values; those of each event end where ``ends`` says.
    private(set) var cells: [UInt32] = []
    private(set) var ends: [Int] = []
    private(set) var values = ValueTable()
    private(set) var userTexts = NameTable()

    private let keepsIDs: Bool

    init(_ definition: ExploreDefinition, expecting lines: Int) {
        keepsIDs = definition.keepsIDs
        events = CatalogueBatch(joins: definition.identify, cohort: CohortTest(definition.cohort, countedBy: .user), expecting: lines)
    }

    mutating func take(_ line: EventHead) {
        events.take(line)
        guard line.kind == .event else {
            if SessionLine.isOne(line) { began.append((.of(line.session), values.row(line))) }
            return
        }
        sessions.append(line.session.isEmpty ? .none : .of(line.session))
        values.add(line.props, of: .event, to: &cells)
        ends.append(cells.count)
        if keepsIDs, !line.user.isEmpty { _ = userTexts.number(of: line.user) }
    }

    mutating func takeBadLine() { events.takeBadLine() }
    mutating func adopt(_ facts: SummaryBatchFacts) { events.adopt(facts) }
}
