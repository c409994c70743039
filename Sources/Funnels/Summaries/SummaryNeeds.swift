import Basics
import TrackingEvents

/// What a run looks at of each event besides its time, name, kind and user: which columns of a summary must be read for it.
///
/// If a run looks at something else of an ``EventHead``, it must be named here: what is not named is missing in a summary's events.
struct SummaryNeeds: Sendable {
    var session = false
    var system = false
    /// The paths of properties; `nil` for all properties. Every run looks at the sampling rates of sessions.
    private(set) var paths: [[String]]? = [[MetaEventName.sampleRate]]
    /// The names of those events and meta lines whose properties are looked at; `nil` for any.
    private(set) var names: Set<[UInt8]>? = [SessionLine.name]
    /// Whether files without a summary are passed over.
    var skipsLines = false
    /// Whether duplicates and gaps in sequences are counted.
    var countsLines = true

    /// What the key and the cohort of a run without steps ask for.
    init(key: FunnelKey = .user, joins: Bool = false, cohort: CohortFilter = .everyone) {
        add(key)
        if joins { add(IdentifiedLine.path, of: [IdentifiedLine.name]) }
        add(cohort)
    }

    /// Asks for all properties of the events and meta lines of some names.
    ///
    /// - Parameter names: `nil` for any.
    init(allPropertiesOf names: Set<[UInt8]>?, cohort: CohortFilter = .everyone) {
        self.names = names?.union([SessionLine.name])
        add(cohort)
        paths = nil
    }

    mutating func add(_ key: FunnelKey) {
        switch key {
        case .user: break
        // The properties of the session's line are added where such lines are taken.
        case .session, .context: session = true
        case .system: system = true
        case .property(let path): add(path, of: nil)
        }
    }

    mutating func add(_ cohort: CohortFilter) { for cohort in [cohort.only, cohort.except].compactMap(\.self) { add(cohort.key) } }

    /// - Parameter names: of the events that are asked for the property; `nil` for any.
    mutating func add(_ path: [String], of names: Set<[UInt8]>?) {
        if paths?.contains(where: { $0.elementsEqual(path) { $0.isExactly($1) } }) == false { paths?.append(path) }
        if let names { self.names?.formUnion(names) } else { self.names = nil }
    }
}

extension CompiledFunnel {
    /// What the funnels look at.
    var summaryNeeds: SummaryNeeds {
        var needs = SummaryNeeds(joins: joins, cohort: catalogue?.cohort ?? .everyone)
        for definition in funnels.map(\.definition) {
            needs.add(definition.key)
            needs.add(definition.cohort)
            for path in definition.asked(in: .event) { needs.add(path, of: definition.takenNames) }
        }
        for path in sessionPaths { needs.add(path.path, of: [SessionLine.name]) }
        if !sessionPaths.isEmpty { needs.add(SessionLine.repetition.path, of: [SessionLine.name]) }
        if funnels.contains(where: { !$0.questions.isEmpty || $0.definition.counting == .visits }) { needs.session = true }
        return needs
    }

    /// What the search for near names looks at: all properties, because a property asked of events may be meant to be a session's.
    var sampleNeeds: SummaryNeeds {
        var names: Set<[UInt8]>? = []
        for definition in funnels.map(\.definition) { names = definition.takenNames.flatMap { names?.union($0) } }
        var needs = SummaryNeeds(allPropertiesOf: names)
        needs.session = true
        // Lines showed all their properties when they were counted.
        (needs.countsLines, needs.skipsLines) = (false, true)
        return needs
    }
}

extension WhyDefinition {
    var summaryNeeds: SummaryNeeds {
        var needs = SummaryNeeds(allPropertiesOf: funnel.takenNames?.union([IdentifiedLine.name]), cohort: funnel.cohort)
        needs.add(funnel.key)
        needs.session = true
        return needs
    }
}

extension FunnelDefinition {
    /// The names of the events that a step or an exclusion may take; `nil` for any.
    var takenNames: Set<[UInt8]>? {
        if order.keepsUnmatched || compat?.ordersStrictly ?? false { return nil }
        var taken: Set<[UInt8]> = []
        for pattern in patterns {
            guard case .oneOf(let names) = pattern.names else { return nil }
            taken.formUnion(names.map { Array($0.utf8) })
        }
        return taken
    }
}
