import TrackingEvents

/// Several funnels made ready for one pass over the data.
struct FunnelPlan: Sendable {
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
    /// Whether the texts of keys are kept, for those who want to see them.
    let keepsKeys: Bool

    init(_ definitions: [FunnelDefinition], keepsKeys: Bool = false) {
        self.definitions = definitions
        self.keepsKeys = keepsKeys
        matchers = definitions.map(StepMatcher.init)
        breakdowns = definitions.map { $0.breakdown.map { PropertyReader(path: $0.path) } }
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
    }
}
