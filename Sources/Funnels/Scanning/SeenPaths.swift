import Basics
import TrackingEvents

/// Which of the properties that funnels ask about occurred, and which other properties occurred that a funnel may have meant.
struct SeenPaths: Sendable {
    /// The properties of events, or those of the lines that begin sessions.
    fileprivate struct Source: Sendable {
        let asked: [PropertyReader]
        var isSeen: [Bool]
        var others = PathTable(limit: SeenPaths.mostPaths)
        /// Whether something that is asked about has not occurred yet.
        var isLacking: Bool { isSeen.contains(false) }
        /// How many objects were looked through for others.
        var looked = 0
        /// Whether any object was looked at while something was lacking.
        var hasLooked = false

        init(_ asked: [PropertyReader]) {
            self.asked = asked
            isSeen = Array(repeating: false, count: asked.count)
        }
    }

    /// How many events and how many sessions of a batch are looked through for other properties, while one that is asked about is missing.
    fileprivate static let sample = 32
    static let mostPaths = 2000

    private var events: Source
    private var sessions: Source

    init(_ plan: CompiledFunnel) {
        events = Source(plan.eventPaths)
        sessions = Source(plan.sessionPaths)
    }

    var lacksSome: Bool { events.isLacking || sessions.isLacking }

    var hasEnoughEvents: Bool { events.looked >= Self.sample }
    var hasEnough: Bool { hasEnoughEvents && sessions.looked >= Self.sample }

    /// Looks for the event properties that were not seen yet and, while a session property is missing, for what may be meant by it.
    @inline(__always)
    mutating func lookAtEvent(_ properties: @autoclosure () -> EventProperties) {
        if events.isLacking || events.looked < Self.sample && sessions.isLacking { events.look(at: properties(), sessions.isLacking) }
    }

    /// Looks for the session properties that were not seen yet, and for what may be meant by a missing event property.
    mutating func lookAtSession(_ props: UnsafeRawBufferPointer) {
        if sessions.isLacking || sessions.looked < Self.sample { sessions.look(at: EventProperties(props), true) }
    }

    mutating func add(_ other: SeenPaths) {
        events.add(other.events)
        sessions.add(other.sessions)
    }

    /// The properties that a definition asks about and that did not occur, each with the nearest that did occur, in an event or a session.
    ///
    /// - Parameter hasEvents: whether there were events at all.
    func unseen(in definition: FunnelDefinition, hasEvents: Bool) -> [UnseenName] {
        (events.hasLooked ? events.unseen(definition, .event, sessions) : [])
            + (hasEvents ? sessions.unseen(definition, .session, events) : [])
    }
}

extension SeenPaths.Source {
    /// - Parameter isOtherLacking: whether something that is asked about in the other source has not occurred yet.
    fileprivate mutating func look(at properties: EventProperties, _ isOtherLacking: Bool) {
        hasLooked = hasLooked || isLacking
        for index in asked.indices where !isSeen[index] && properties.has(asked[index]) { isSeen[index] = true }
        // Others matter only where something is missing.
        guard looked < SeenPaths.sample, isLacking || isOtherLacking else { return }
        looked += 1
        _ = others.entries(of: properties.json)
    }

    fileprivate mutating func add(_ other: Self) {
        for index in isSeen.indices where other.isSeen[index] { isSeen[index] = true }
        _ = others.numbers(of: other.others)
        hasLooked = hasLooked || other.hasLooked
    }

    fileprivate func unseen(_ definition: FunnelDefinition, _ source: PropertySource, _ elsewhere: Self) -> [UnseenName] {
        let wanted = Set(definition.asked(in: source).map { $0.map { ExactText($0) } })
        let missing = asked.indices.filter { !isSeen[$0] && wanted.contains(asked[$0].path.map { ExactText($0) }) }.map { asked[$0].path }
        if missing.isEmpty { return [] }
        let other: PropertySource = source == .event ? .session : .event
        var named: [String: String] = [:]
        for (table, source) in [(elsewhere.others, other), (others, source)] {
            for path in table.paths.indices.map({ table.keys(of: $0).keys }) {
                named[GrammarText.path(path)] = PropertyPath.text(path, in: source)
            }
        }
        let texts = named.keys.sorted()
        return missing.map { path in
            let nearest = NearestName.find(GrammarText.path(path), in: texts).flatMap { named[$0] }
            return UnseenName(name: PropertyPath.text(path, in: source), nearest: nearest)
        }
    }
}

extension FunnelDefinition {
    var patterns: [EventPattern] { steps.map(\.pattern) + exclusions.map(\.pattern) }

    /// The paths that the definition asks about in one source, in their order.
    func asked(in source: PropertySource) -> [[String]] {
        var paths = patterns.flatMap(\.tests).filter { $0.source == source }.map(\.path)
        paths += breakdown?.properties.filter { $0.source == source }.map(\.path) ?? []
        switch (key, source) {
        case (.property(let path), .event), (.context(let path), .session): paths.append(path)
        default: break
        }
        if let hold, source == .event { paths.append(hold) }
        return paths
    }
}
