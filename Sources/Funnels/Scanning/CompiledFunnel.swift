import Basics
import TrackingEvents

/// Several funnels made ready for one pass over the data.
struct CompiledFunnel: Sendable {
    /// One funnel of the pass.
    ///
    /// A class, so that taking one out of the list counts one reference instead of one for each part.
    final class Single: Sendable {
        let definition: FunnelDefinition
        let matcher: StepMatcher
        /// The index of its key in ``CompiledFunnel/keys``.
        let key: Int
        /// Readers of those properties of the breakdown that events have.
        let breakdown: [PropertyReader]
        /// Reads the held property; `nil` where there is none.
        let hold: PropertyReader?
        /// Whether anonymous ids are joined to users, and whether those users are the keys.
        let joins: Bool
        let joinsKeys: Bool
        let cohort: CohortTest
        let questions: SessionQuestions

        init(_ definition: FunnelDefinition, key: Int, _ questions: SessionQuestions) {
            self.definition = definition
            self.key = key
            self.questions = questions
            matcher = StepMatcher(definition)
            breakdown = definition.breakdown?.properties.filter { $0.source == .event }.map { PropertyReader(path: $0.path) } ?? []
            hold = definition.hold.map { PropertyReader(path: $0) }
            joinsKeys = definition.identify && definition.key == .user
            cohort = CohortTest(definition.cohort, countedBy: definition.key, joins: definition.identify)
            // Each visit has a user, also where sessions are the keys. So has each event that a list of users admits.
            joins = joinsKeys || definition.identify && (definition.counting == .visits || cohort.asksUsers)
        }

        /// Whether its records need values of properties.
        var hasValues: Bool { definition.breakdown != nil || definition.hold != nil }

        /// Whether all that is kept of a wanted event is its key, its session, its time, its steps and one property's value.
        fileprivate var isPlain: Bool {
            definition.exclusions.isEmpty && hold == nil && breakdown.count < 2 && !cohort.asksLines && !cohort.asksUsers
                && questions.isEmpty && !matcher.takesAll
        }
    }

    /// A definition without its starts: it decides which events a funnel keeps, and what it keeps of them.
    private struct Kept: Hashable {
        private var definition: FunnelDefinition
        private let texts: [ExactText]

        init(_ definition: FunnelDefinition) {
            self.definition = definition
            (self.definition.since, self.definition.until, self.definition.starts) = (nil, nil, .all)
            let patterns = StepMatcher.numbered(definition).map(\.pattern.description)
            let others = ["\(definition.key)", definition.breakdown?.description ?? ""] + (definition.hold ?? [])
            texts = (patterns + others).map { ExactText($0) }
        }
    }

    let funnels: [Single]
    /// The funnels that keep events: one of those that differ only in their starts. ``keeperOf`` gives the index of each funnel's one.
    let keeping: [Single]
    let keeperOf: [Int]
    let keys: [KeyReader]
    /// Whether a funnel joins anonymous ids to users.
    let joins: Bool
    /// The properties that funnels ask sessions about, and those that they ask events about.
    let sessionPaths: [PropertyReader]
    let eventPaths: [PropertyReader]
    /// Whether a funnel by sessions asks when each was last active.
    let asksForSilence: Bool
    /// Whether all are plain and share one key, whose texts are not kept.
    let isPlain: Bool
    /// Whether the texts of keys are kept.
    let keepsKeys: Bool
    /// Which events are listed beside the funnels; `nil` for none.
    let catalogue: CatalogueRun?

    init(_ definitions: [FunnelDefinition], keepsKeys: Bool = false, catalogue: CatalogueRun? = nil) {
        (self.keepsKeys, self.catalogue) = (keepsKeys, catalogue)
        // By exact texts: strings that are `==` but differ in bytes name different properties.
        var (paths, asked, keyTexts) = (Numbering<[ExactText]>(), Numbering<[ExactText]>(), Numbering<ExactText>())
        var keys: [FunnelKey] = []
        funnels = definitions.map { definition in
            for path in definition.asked(in: .event) { _ = asked.number(of: path.map { ExactText($0) }) }
            let key = keyTexts.number(of: ExactText("\(definition.key)"))
            if key == keys.count { keys.append(definition.key) }
            return Single(definition, key: key, SessionQuestions(definition, &paths))
        }
        var keepers = Numbering<Kept>()
        let keeperOf = definitions.map { keepers.number(of: Kept($0)) }
        self.keeperOf = keeperOf
        keeping = keepers.all.indices.compactMap { [funnels] in keeperOf.firstIndex(of: $0).map { funnels[$0] } }
        self.keys = keys.map(KeyReader.init)
        sessionPaths = paths.all.map { PropertyReader(path: $0.map(\.text)) }
        eventPaths = asked.all.map { PropertyReader(path: $0.map(\.text)) }
        joins = funnels.contains(where: \.joins)
        asksForSilence = definitions.contains { $0.key == .session && $0.steps.count > 1 }
        isPlain = self.keys.count == 1 && !keepsKeys && funnels.allSatisfy(\.isPlain)
    }

    func wants(name: [UInt8]) -> Bool { funnels.contains { $0.matcher.takesAll || $0.matcher.steps(named: name) != 0 } }

    var asksProperties: Bool { !eventPaths.isEmpty || !sessionPaths.isEmpty }
}
