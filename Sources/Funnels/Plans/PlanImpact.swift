import Basics
import PlanAuthoring
public import TrackingPlans

/// A part of a saved funnel that matched events of one plan and matches none of the next.
public struct PlanImpact: Sendable, Hashable {
    /// The text of the funnel that ``column`` counts in.
    public enum Part: Sendable, Hashable {
        case steps
        /// The n-th exclusion, from 1.
        case exclusion(Int)
        case breakdown, hold, key
    }

    /// The funnel's name, or its number if it has none: `funnel 2`.
    public let funnel: String
    public let part: Part
    /// The step's number, from 1; `nil` for an exclusion, a session's property as key or breakdown, and a breakdown by first or last value.
    public let step: Int?
    /// The column of the first character of the name, test or path in the text as it is written, from 1.
    public let column: Int
    /// The name, test or path, as the grammar writes it.
    public let text: String
    /// What became of it, as a clause: "property `plan` of `paid` is removed".
    public let reason: String

    /// What a change of plan does to funnels: each part of theirs that could match before and cannot any more.
    ///
    /// - Parameters:
    ///   - old: the plan before.
    ///   - new: the plan after.
    ///   - funnels: in the order in which they are shown.
    public static func all(from old: TrackingPlan, to new: TrackingPlan, on funnels: [WrittenFunnel]) -> [PlanImpact] {
        funnels.enumerated().flatMap { number, written in
            var search = PlanImpactSearch(
                old: old, new: new, renames: PlanDiff(from: old, to: new).renames, title: written.funnel.name ?? "funnel \(number + 1)")
            search.look(at: written)
            return search.found
        }
    }
}

private struct PlanImpactSearch {
    let old: TrackingPlan
    let new: TrackingPlan
    let renames: [PlanDiff.Rename]
    let title: String
    var found: [PlanImpact] = []
    /// The column at which the path that is looked at begins in its text.
    var column = 1

    mutating func look(at written: WrittenFunnel) {
        let funnel = written.funnel
        let patterns = funnel.steps.map(\.pattern)
        var grammar = StepGrammar(written.steps)
        _ = try? grammar.steps()
        for (step, (pattern, columns)) in zip(patterns, grammar.columns).enumerated() {
            look(at: pattern, columns, of: grammar, in: .steps, step: step + 1)
        }
        for (number, exclusion) in funnel.exclusions.enumerated() {
            var grammar = StepGrammar(written.exclusions.dropFirst(number).first ?? exclusion.description)
            _ = try? grammar.exclusion()
            for columns in grammar.columns { look(at: exclusion.pattern, columns, of: grammar, in: .exclusion(number + 1), step: nil) }
        }
        if case .property(let path) = funnel.key { look(at: path, ofEach: patterns, in: .key) }
        if case .context(let path) = funnel.key { look(atSession: path, in: .key) }
        if let path = funnel.hold { look(at: path, ofEach: patterns, in: .hold) }
        guard let breakdown = funnel.breakdown else { return }
        grammar = StepGrammar(written.breakdown ?? breakdown.description)
        for property in breakdown.properties {
            grammar.cursor.skipSpace()
            column = grammar.cursor.slice(0..<grammar.cursor.position).count + 1
            _ = try? grammar.property(before: ":")
            _ = grammar.cursor.take(",")
            switch (property.source, breakdown.attribution) {
            case (.session, _): look(atSession: property.path, in: .breakdown)
            case (_, .all): look(at: property.path, ofEach: patterns, in: .breakdown)
            case (_, .step(let step)):
                if patterns.indices.contains(step - 1) { look(at: property.path, ofEach: [patterns[step - 1]], from: step, in: .breakdown) }
            case (_, .first), (_, .last): look(at: property.path, ofAny: patterns)
            }
        }
    }

    private mutating func add(_ part: PlanImpact.Part, _ step: Int?, _ column: Int, _ text: String, _ reason: String) {
        found.append(PlanImpact(funnel: title, part: part, step: step, column: column, text: text, reason: reason))
    }

    private mutating func look(
        at pattern: EventPattern, _ columns: StepGrammar.PatternColumns, of grammar: StepGrammar, in part: PlanImpact.Part, step: Int?
    ) {
        func column(_ index: Int) -> Int { grammar.cursor.slice(0..<index).count + 1 }
        for (name, index) in columns.names where old.event(named: name) != nil && new.event(named: name) == nil {
            let rename = renames.first { $0.old.isExactly(name) }.map { ", renamed to `\($0.new)`?" } ?? ""
            add(part, step, column(index), GrammarText.name(name), "event `\(name)` is removed\(rename)")
        }
        // Removed names of a list are noted above. `*` lists none, so all events of the old plan are looked at.
        let names = pattern.names == .any ? old.events.map(\.name) : kept(pattern)
        for (test, index) in zip(pattern.tests, columns.tests) {
            // For `*` a test is broken where no event is left that can pass it.
            if pattern.names == .any, isLeft(test.path, in: test.source, where: { $0.canPass(test) }) { continue }
            let reasons = names.compactMap { reason(why: test, failsFor: $0) }
            if let reason = reasons.first { add(part, step, column(index), test.description, reason) }
        }
    }

    /// The events of a pattern that are in both plans.
    private func kept(_ pattern: EventPattern) -> [String] {
        let names = if case .oneOf(let names) = pattern.names { names } else { old.events.map(\.name) }
        return names.filter { old.event(named: $0) != nil && new.event(named: $0) != nil }
    }

    /// Whether any event of the new plan has values at a path that can be compared, and that are as wanted.
    private func isLeft(_ path: [String], in source: PropertySource, where isWanted: (PlannedProperty) -> Bool = { _ in true }) -> Bool {
        new.events.contains { new.property(path, in: source, of: $0.name).map { $0.hasText && isWanted($0) } ?? false }
    }

    /// What breaks a test for events of a name: the property is removed or hidden, or its values no longer pass; `nil` if nothing does.
    private func reason(why test: PropertyTest, failsFor event: String) -> String? {
        change(of: test.path, in: test.source, of: event) { before, after in
            before.canPass(test) && (after?.canPass(test) != true || before.hasText && after?.hasText != true)
        }
    }

    /// What became of a property of an event, if that breaks something; `nil` also where the old plan has none.
    private func change(
        of path: [String], in source: PropertySource, of event: String, breaks: (PlannedProperty, PlannedProperty?) -> Bool
    ) -> String? {
        guard let before = old.property(path, in: source, of: event) else { return nil }
        let after = new.property(path, in: source, of: event)
        guard breaks(before, after) else { return nil }
        let subject = "property `\(before.path)` of " + (source == .session ? "the session" : "`\(event)`")
        return "\(subject) \(after.map { Self.change(before, $0) } ?? "is removed")"
    }

    private static func change(_ before: PlannedProperty, _ after: PlannedProperty) -> String {
        if before.kind != after.kind { return "is \(after.kind.rawValue) and was \(before.kind.rawValue)" }
        if after.isSensitive && !before.isSensitive { return "is sensitive now" }
        return after.values != before.values ? "has other values" : "has another range"
    }

    /// Notes each step whose events lose a path that all steps need.
    private mutating func look(at path: [String], ofEach patterns: [EventPattern], from first: Int = 1, in part: PlanImpact.Part) {
        for (number, pattern) in patterns.enumerated() where pattern.names != .any || !isLeft(path, in: .event) {
            guard let reason = lost(path, kept(pattern)) else { continue }
            add(part, first + number, column, PropertyPath.text(path), reason)
        }
    }

    private mutating func look(atSession path: [String], in part: PlanImpact.Part) {
        if let reason = lost(path, in: .session, [""]) { add(part, nil, column, PropertyPath.text(path, in: .session), reason) }
    }

    /// Notes the loss of a path that is looked for in the events of all steps.
    private mutating func look(at path: [String], ofAny patterns: [EventPattern]) {
        let names = patterns.flatMap { kept($0) }
        let isLeft = names.contains { new.property(path, of: $0)?.hasText == true }
        if !isLeft, let reason = lost(path, names) { add(.breakdown, nil, column, PropertyPath.text(path), reason) }
    }

    /// Why events that had a value at a path have none any more; `nil` if they may still have one, or never had one.
    private func lost(_ path: [String], in source: PropertySource = .event, _ events: [String]) -> String? {
        events.lazy.compactMap { change(of: path, in: source, of: $0) { $0.hasText && $1?.hasText != true } }.first
    }
}

extension TrackingPlan {
    /// The properties of an event, or of all events for `nil`, and those that any event may have.
    func properties(of event: String?) -> [PlannedProperty] {
        (event.map { self.event(named: $0)?.properties ?? [] } ?? events.flatMap(\.properties)) + shared
    }

    fileprivate func property(_ path: [String], in source: PropertySource = .event, of event: String) -> PlannedProperty? {
        let path = path.joined(separator: ".")
        return (source == .session ? session : properties(of: event)).first { $0.path.isExactly(path) }
    }
}

extension PlannedProperty {
    /// Whether its value can be compared: tests and groups see nothing of an object, an array or a masked value.
    fileprivate var hasText: Bool { kind != .object && kind != .array && !isSensitive }

    /// Whether some planned value passes a test.
    fileprivate func canPass(_ test: PropertyTest) -> Bool {
        let compiled = CompiledTest(test)
        guard hasText else { return compiled.holdsWithoutValue }
        func passes(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { compiled.holds(for: $0) } }
        switch kind {
        case .string: return values.map { $0.all.contains(where: passes) } ?? true
        case .bool: return passes("true") || passes("false")
        case .int, .number: return canPassNumber(test)
        case .object, .array: return false
        }
    }

    private func canPassNumber(_ test: PropertyTest) -> Bool {
        let (low, high) = (min ?? -.infinity, max ?? .infinity)
        guard case .order(let orders) = test.comparison.rule else { return test.value.allSatisfy { "0123456789.+-eE".contains($0) } }
        guard let value = Double(test.value) else { return orders != .equal }
        var possible: FilterOperator.Orders = []
        if low < value { possible.insert(.less) }
        if high > value { possible.insert(.greater) }
        if low <= value, value <= high, kind == .number || value == value.rounded() { possible.insert(.equal) }
        return !orders.isDisjoint(with: possible)
    }
}
