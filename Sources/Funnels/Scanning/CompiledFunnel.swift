import TrackingEvents

/// Several funnels made ready for one pass over the data.
struct CompiledFunnel: Sendable {
    let definitions: [FunnelDefinition]
    let matchers: [StepMatcher]
    /// The different keys, and which of them each funnel counts by.
    let keys: [KeyReader]
    let keyOf: [Int]
    /// For each funnel whether its records need exclusions, and whether they need values.
    let hasExclusions: [Bool]
    let hasFacets: [Bool]
    /// For each funnel what its breakdown and its held property read; `nil` where there is none.
    let breakdowns: [PropertyReader?]
    let holds: [PropertyReader?]
    /// For each funnel whether anonymous ids are joined to users.
    let joins: [Bool]
    /// What reads the anonymous id of an `identified` line, if any funnel wants it.
    let anonymous: PropertyReader?
    /// For each funnel whose events count.
    let cohorts: [CohortTest]
    /// For each funnel what it asks about sessions, and what reads the answers from a session's line.
    let sessionQuestions: [SessionQuestions]
    let sessionPaths: [PropertyReader]
    /// What funnels ask events about.
    let eventPaths: [PropertyReader]
    /// Whether a funnel asks about any property.
    var asksProperties: Bool { !eventPaths.isEmpty || !sessionPaths.isEmpty }
    /// Whether all that is kept of a wanted event is its key, its time and its steps, and its name alone says which these are.
    let isPlain: Bool
    /// Whether the texts of keys are kept, for those who want to see them.
    let keepsKeys: Bool

    init(_ definitions: [FunnelDefinition], keepsKeys: Bool = false) {
        self.definitions = definitions
        self.keepsKeys = keepsKeys
        matchers = definitions.map(StepMatcher.init)
        var paths: [[String]] = []
        sessionQuestions = definitions.map { SessionQuestions($0, &paths) }
        sessionPaths = paths.map { PropertyReader(path: $0) }
        var asked: [[String]] = []
        for path in definitions.flatMap({ $0.asked(in: .event) }) where !asked.contains(path) { asked.append(path) }
        eventPaths = asked.map { PropertyReader(path: $0) }
        breakdowns = definitions.map { $0.breakdown.flatMap { $0.place == .event ? PropertyReader(path: $0.path) : nil } }
        holds = definitions.map { $0.hold.map { PropertyReader(path: $0) } }
        hasExclusions = definitions.map { !$0.exclusions.isEmpty }
        hasFacets = definitions.map { $0.breakdown != nil || $0.hold != nil }
        joins = definitions.map { $0.identify && $0.key == .user }
        anonymous = joins.contains(true) ? PropertyReader(path: ["anonymous"]) : nil
        cohorts = definitions.map { CohortTest($0.cohort, countedBy: $0.key) }
        var keys: [FunnelKey] = []
        keyOf = definitions.map { definition in
            if let known = keys.firstIndex(of: definition.key) { return known }
            keys.append(definition.key)
            return keys.count - 1
        }
        self.keys = keys.map(KeyReader.init)
        isPlain =
            definitions.count == 1 && !keepsKeys && !hasExclusions[0] && !hasFacets[0] && !cohorts[0].asksLines
            && sessionQuestions[0].isEmpty
            && !matchers[0].hasTests && !matchers[0].takesAll
    }
}
