import Basics
public import TrackingPlans

/// A property that a funnel asks for and that is in neither plan nor data.
public struct UnplannedPath: Sendable, Hashable {
    /// The event that should have it; `nil` for any.
    public let event: String?
    /// As flags write it: `props.plan`.
    public let path: String
    /// The nearest path that is in one of the two; `nil` if none is near.
    public let nearest: String?
}

/// Finds the properties of funnels that are in neither a plan nor the data.
public struct PlannedPathsRun: EventQuestion {
    private typealias Question = (event: ExactText?, path: [ExactText])

    private let plan: TrackingPlan
    private let questions: [Question]

    /// - Parameters:
    ///   - plan: the plan that is looked at before the data.
    ///   - definitions: funnels, with their tests, exclusions, keys and breakdowns.
    public init(_ plan: TrackingPlan, asking definitions: [FunnelDefinition]) {
        self.plan = plan
        var questions: [Question] = []
        func note(_ event: String?, _ path: [String]) {
            let question = (event.map { ExactText($0) }, path.map { ExactText($0) })
            if !questions.contains(where: { $0 == question }) { questions.append(question) }
        }
        func ask(_ pattern: EventPattern, _ path: [String]) {
            let events: [String?] = if case .oneOf(let names) = pattern.names { names } else { [nil] }
            for event in events where !plan.has(path, in: event) { note(event, path) }
        }
        for definition in definitions {
            let steps = definition.steps.map(\.pattern)
            for pattern in definition.patterns {
                // A session's context is planned apart from the events.
                for test in pattern.tests where test.source == .event { ask(pattern, test.path) }
            }
            var ofAll: [[String]] = [definition.hold].compactMap(\.self)
            if case .property(let path) = definition.key { ofAll.append(path) }
            for property in definition.breakdown?.properties ?? [] where property.source == .event {
                switch definition.breakdown?.attribution {
                case .all: ofAll.append(property.path)
                case .step(let step) where steps.indices.contains(step - 1): ask(steps[step - 1], property.path)
                case .step, nil: break
                case .first, .last:
                    // One of the steps that has it is enough.
                    if !steps.contains(where: { plan.has(property.path, inSomeOf: $0) }) { note(nil, property.path) }
                }
            }
            for path in ofAll { steps.forEach { ask($0, path) } }
        }
        self.questions = questions
    }

    /// Whether the plan has all the paths, so that the data need not be read.
    public var isAnswered: Bool { questions.isEmpty }

    /// Finds the paths that neither the plan nor the data has.
    public var pass: EventPass<[UnplannedPath]> {
        EventPass { reader, threads, progress in
            var paths: [ExactText: Set<ExactText>] = [:]
            let reading = try reader.read(threads: threads, progress: progress, into: { ShapeBatch(expecting: $0, keepsLines: false) }) {
                batch in
                let names = batch.names
                for name in names where paths[name] == nil { paths[name] = [] }
                for value in batch.values where value.name > 0 { paths[names[value.name - 1]]?.insert(value.path) }
            }
            return (answers(paths), reading)
        }
    }

    /// The paths that the plan does not have, where the data cannot be read a second time.
    public var unplanned: [UnplannedPath] { answers([:]) }

    private func answers(_ paths: [ExactText: Set<ExactText>]) -> [UnplannedPath] {
        questions.compactMap { question in
            let (event, path) = (question.event?.text, question.path.map(\.text))
            // An event that is in neither has a warning of its own.
            if let event, plan.event(named: event) == nil, paths[ExactText(event)] == nil { return nil }
            let text = path.joined(separator: ".")
            let inData = question.event.map { paths[$0] ?? [] } ?? paths.values.reduce(into: []) { $0.formUnion($1) }
            if inData.contains(ExactText(text)) { return nil }
            let known = (inData.map(\.text) + plan.properties(of: event).map(\.path)).sorted()
            return UnplannedPath(
                event: event, path: PropertyPath.text(path), nearest: NearestName.find(text, in: known).map { "props.\($0)" })
        }
    }
}

extension TrackingPlan {
    /// Whether a path is planned, lies in an object that holds anything, or is an object around planned paths.
    fileprivate func has(_ path: [String], in event: String?) -> Bool {
        func same(_ a: String, _ b: String) -> Bool { a.isExactly(b) }
        return properties(of: event).contains { property in
            let keys = property.keys
            return keys.starts(with: path, by: same) || property.kind == .object && path.starts(with: keys, by: same)
        }
    }

    fileprivate func has(_ path: [String], inSomeOf pattern: EventPattern) -> Bool {
        guard case .oneOf(let names) = pattern.names else { return has(path, in: nil) }
        return names.contains { has(path, in: $0) }
    }
}
