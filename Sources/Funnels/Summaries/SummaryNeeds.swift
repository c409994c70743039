/// What a run looks at of each event besides its time, name, kind and user: which columns of a summary must be read for it.
///
/// A run that begins to look at something else of an ``EventHead`` says so here. What is not named is missing in a summary's events.
struct SummaryNeeds: Sendable {
    var session = false
    var system = false
    /// The paths of properties; `nil` for all properties.
    private(set) var paths: [[String]]? = []
    /// The names of those events and meta lines whose properties are looked at; `nil` for any.
    private(set) var names: Set<[UInt8]>? = []
    /// With more different properties than this in all files, what comes out depends on their order on the lines, which a summary does not
    /// keep.
    var mostPaths: Int?

    /// What the key and the cohort of a run without steps ask for.
    init(key: FunnelKey = .user, anonymous: Bool = false, cohort: CohortFilter = .everyone) {
        add(key)
        if anonymous { add(["anonymous"], of: [IdentifiedLine.name]) }
        add(cohort)
    }

    /// All properties of the events of one name.
    init(allPropertiesOf name: String, cohort: CohortFilter) {
        names = [Array(name.utf8)]
        add(cohort)
        paths = nil
        mostPaths = PropertyCatalogue.keyLimit
    }

    mutating func add(_ key: FunnelKey) {
        switch key {
        case .user: break
        case .session: session = true
        case .system: system = true
        case .property(let path): add(path, of: nil)
        }
    }

    mutating func add(_ cohort: CohortFilter) {
        if let only = cohort.only { add(only.key) }
        if let except = cohort.except { add(except.key) }
    }

    /// - Parameter names: of the events that are asked for the property; `nil` for any.
    mutating func add(_ path: [String], of names: Set<[UInt8]>?) {
        if paths?.contains(path) == false { paths?.append(path) }
        if let names { self.names?.formUnion(names) } else { self.names = nil }
    }
}

extension FunnelPlan {
    /// What the funnels look at.
    var summaryNeeds: SummaryNeeds {
        var needs = SummaryNeeds()
        for definition in definitions {
            needs.add(definition.key)
            needs.add(definition.cohort)
            var named: Set<[UInt8]>? = []
            for pattern in definition.steps.map(\.pattern) + definition.exclusions.map(\.pattern) {
                guard case .oneOf(let names) = pattern.names else {
                    named = nil
                    continue
                }
                named?.formUnion(names.map { Array($0.utf8) })
            }
            if definition.order.keepsUnmatched || definition.compat?.ordersStrictly ?? false { named = nil }
            for pattern in definition.steps.map(\.pattern) + definition.exclusions.map(\.pattern) {
                for test in pattern.tests { needs.add(test.path, of: named) }
            }
            if let breakdown = definition.breakdown { needs.add(breakdown.path, of: named) }
            if let hold = definition.hold { needs.add(hold, of: named) }
        }
        if anonymous != nil { needs.add(["anonymous"], of: [IdentifiedLine.name]) }
        return needs
    }
}
