import Basics
public import TrackingPlans

/// What changed from one plan to another, and what of it breaks reports.
public struct PlanDiff: Sendable, Hashable {
    /// One change. Changes stand in the order of the older plan; added properties come last in their event, and added events last of all.
    public struct Change: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable { case added, removed, changed }

        public let kind: Kind
        /// `nil` for a property of `shared` or `session`.
        public let event: String?
        /// Where the property stands, if it belongs to no event: `shared` or `session`.
        public let place: String?
        public let property: String?
        /// What changed, as a part of a sentence: `type string → int`.
        public let what: String
        /// Whether reports over old and new files together may count something else.
        public let isBreaking: Bool
    }

    /// A removed and an added event with the same properties.
    public struct Rename: Sendable, Hashable {
        public let old: String
        public let new: String
    }

    public let changes: [Change]
    public let renames: [Rename]

    /// Only removed events, properties and values, added required properties, new lists of values, changed types and narrower ranges break.
    public var isBreaking: Bool { changes.contains { $0.isBreaking } }

    public init(from old: TrackingPlan, to new: TrackingPlan) {
        var changes: [Change] = []
        func add(_ kind: Change.Kind, event: String?, scope: String? = nil, property: String? = nil, _ what: String, _ isBreaking: Bool) {
            changes.append(Change(kind: kind, event: event, place: scope, property: property, what: what, isBreaking: isBreaking))
        }
        func compare(event: String? = nil, scope: String? = nil, _ old: [PlannedProperty], _ new: [PlannedProperty]) {
            let (earlier, later) = (byName(old, \.path), byName(new, \.path))
            for property in old {
                let later = later[ExactText(property.path)]
                let differences = later.map { Self.differences(property, $0) } ?? [("property removed", true)]
                for (what, isBreaking) in differences {
                    add(later == nil ? .removed : .changed, event: event, scope: scope, property: property.path, what, isBreaking)
                }
            }
            for property in new where earlier[ExactText(property.path)] == nil {
                let what = property.isOptional ? "optional property added" : "required property added"
                add(.added, event: event, scope: scope, property: property.path, what, !property.isOptional)
            }
        }
        let (earlier, later) = (byName(old.events, \.name), byName(new.events, \.name))
        for event in old.events {
            guard let later = later[ExactText(event.name)] else {
                add(.removed, event: event.name, "event removed", true)
                continue
            }
            if event.deprecated != later.deprecated {
                add(.changed, event: event.name, later.deprecated.map { "deprecated: \($0)" } ?? "no longer deprecated", false)
            }
            compare(event: event.name, event.properties, later.properties)
        }
        // A shared property is never required, so a new one breaks nothing.
        compare(scope: "shared", old.shared.map(\.optional), new.shared.map(\.optional))
        compare(scope: "session", old.session, new.session)
        let added = new.events.filter { earlier[ExactText($0.name)] == nil }
        for event in added { add(.added, event: event.name, "event added", false) }
        self.changes = changes
        // Reversed, because the last one is taken first.
        var free = Dictionary(grouping: added.reversed(), by: \.shape)
        renames = old.events.filter { later[ExactText($0.name)] == nil }.compactMap { event in
            free[event.shape]?.popLast().map { Rename(old: event.name, new: $0.name) }
        }
    }

    private typealias Difference = (what: String, isBreaking: Bool)

    /// The differences of a property that both plans have.
    private static func differences(_ old: PlannedProperty, _ new: PlannedProperty) -> [Difference] {
        if old.kind != new.kind { return [("type \(old.kind.rawValue) → \(new.kind.rawValue)", true)] }
        var found: [Difference] = []
        if old.isOptional != new.isOptional { found.append((new.isOptional ? "now optional" : "now required", false)) }
        if old.isSensitive != new.isSensitive { found.append((new.isSensitive ? "now sensitive" : "no longer sensitive", false)) }
        found += differences(old.values?.all, new.values?.all)
        for (name, old, new, sign) in [("min", old.min, new.min, 1.0), ("max", old.max, new.max, -1)] where old != new {
            func text(_ bound: Double?) -> String { bound.map { PlanText.number($0) } ?? "none" }
            let isNarrower = new.map { new in old.map { new * sign > $0 * sign } ?? true } ?? false
            found.append(("\(name) \(text(old)) → \(text(new))", isNarrower))
        }
        return found
    }

    /// The differences between the values that a text may have; `nil` stands for any value.
    private static func differences(_ old: [String]?, _ new: [String]?) -> [Difference] {
        guard let new else { return old == nil ? [] : [("a list of values → any text", false)] }
        guard let old else { return [("any text → only \(PlanText.quoted(new))", true)] }
        return [("removed", old, new, true), ("added", new, old, false)].compactMap { word, values, others, isBreaking -> Difference? in
            let others = Set(others.map { ExactText($0) })
            let found = values.filter { !others.contains(ExactText($0)) }
            return found.isEmpty ? nil : ("\(word) \(PlanText.quoted(found))", isBreaking)
        }
    }
}

private func byName<Named>(_ all: [Named], _ name: (Named) -> String) -> [ExactText: Named] {
    Dictionary(all.map { (ExactText(name($0)), $0) }) { first, _ in first }
}

extension PlannedEventDeclaration {
    /// What a removed and an added event must have in common to be taken for one that was renamed.
    fileprivate var shape: Set<ExactText> { Set(properties.map { ExactText("\($0.path)|\($0.kind.rawValue)|\($0.isOptional)") }) }
}

extension PlannedProperty {
    fileprivate var optional: PlannedProperty {
        var optional = self
        optional.isOptional = true
        return optional
    }
}
