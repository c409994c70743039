import Basics

/// What changed from one plan to another, and what of it breaks reports.
public struct PlanDiff: Sendable, Hashable {
    /// One change, in the order of the older plan; what was added comes last.
    public struct Change: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable { case added, removed, changed }

        public let kind: Kind
        /// `nil` for a property of `shared` or `session`.
        public let event: String?
        /// Where the property stands, if it belongs to no event: `shared` or `session`.
        public let place: String?
        public let property: String?
        /// What changed, as one sentence part: `type string → int`.
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

    /// Removed events and properties, new required properties, changed types, removed values and narrower ranges break; nothing else does.
    public var isBreaking: Bool { changes.contains { $0.isBreaking } }

    public init(from old: TrackingPlan, to new: TrackingPlan) {
        var changes: [Change] = []
        func add(_ kind: Change.Kind, _ event: String, _ what: String, isBreaking: Bool = false) {
            changes.append(Change(kind: kind, event: event, place: nil, property: nil, what: what, isBreaking: isBreaking))
        }
        let (earlier, later) = (old.eventsByName, new.eventsByName)
        for event in old.events {
            guard let later = later[ExactText(event.name)] else {
                add(.removed, event.name, "event removed", isBreaking: true)
                continue
            }
            if event.deprecated != later.deprecated {
                add(.changed, event.name, later.deprecated.map { "deprecated: \($0)" } ?? "no longer deprecated")
            }
            changes += Self.changes(event: event.name, place: nil, event.properties, later.properties)
        }
        // No event needs a shared property, so a new one is as optional as any.
        changes += Self.changes(event: nil, place: "shared", old.shared.map(\.optional), new.shared.map(\.optional))
        changes += Self.changes(event: nil, place: "session", old.session, new.session)
        let added = new.events.filter { earlier[ExactText($0.name)] == nil }
        for event in added { add(.added, event.name, "event added") }
        self.changes = changes
        renames = Self.renames(old.events.filter { later[ExactText($0.name)] == nil }, added)
    }

    private static func renames(_ removed: [PlannedEventDeclaration], _ added: [PlannedEventDeclaration]) -> [Rename] {
        // The last is the next to be taken.
        var free: [Set<ExactText>: [PlannedEventDeclaration]] = Dictionary(grouping: added.reversed(), by: \.shape)
        return removed.compactMap { event in free[event.shape]?.popLast().map { Rename(old: event.name, new: $0.name) } }
    }

    private static func changes(event: String?, place: String?, _ old: [PlannedProperty], _ new: [PlannedProperty]) -> [Change] {
        var changes: [Change] = []
        func add(_ kind: Change.Kind, _ property: String, _ what: String, isBreaking: Bool) {
            changes.append(Change(kind: kind, event: event, place: place, property: property, what: what, isBreaking: isBreaking))
        }
        let (earlier, later) = (Set(old.map { ExactText($0.path) }), Dictionary(new.map { (ExactText($0.path), $0) }) { first, _ in first })
        for property in old {
            guard let later = later[ExactText(property.path)] else {
                add(.removed, property.path, "property removed", isBreaking: true)
                continue
            }
            if property.kind != later.kind {
                add(.changed, property.path, "type \(property.kind.rawValue) → \(later.kind.rawValue)", isBreaking: true)
                continue
            }
            if property.isOptional != later.isOptional {
                add(.changed, property.path, later.isOptional ? "now optional" : "now required", isBreaking: false)
            }
            if property.isSensitive != later.isSensitive {
                add(.changed, property.path, later.isSensitive ? "now sensitive" : "no longer sensitive", isBreaking: false)
            }
            for change in valueChanges(property.values?.all, later.values?.all) {
                add(.changed, property.path, change.what, isBreaking: change.isBreaking)
            }
            for change in rangeChanges(property, later) { add(.changed, property.path, change.what, isBreaking: change.isBreaking) }
        }
        for property in new where !earlier.contains(ExactText(property.path)) {
            add(
                .added, property.path, property.isOptional ? "optional property added" : "required property added",
                isBreaking: !property.isOptional)
        }
        return changes
    }

    private static func valueChanges(_ old: [String]?, _ new: [String]?) -> [(what: String, isBreaking: Bool)] {
        switch (old, new) {
        case (nil, nil): return []
        case (nil, let new?): return [("only \(list(new)), before any text", true)]
        case (_?, nil): return [("any text, before a list of values", false)]
        case (let old?, let new?):
            let (before, after) = (Set(old.map(ExactText.init)), Set(new.map(ExactText.init)))
            let (removed, added) = (old.filter { !after.contains(ExactText($0)) }, new.filter { !before.contains(ExactText($0)) })
            return (removed.isEmpty ? [] : [("removed \(list(removed))", true)]) + (added.isEmpty ? [] : [("added \(list(added))", false)])
        }
    }

    private static func list(_ values: [String]) -> String { values.map { PlanText.quoted($0) }.joined(separator: ", ") }

    private static func rangeChanges(_ old: PlannedProperty, _ new: PlannedProperty) -> [(what: String, isBreaking: Bool)] {
        func change(_ name: String, _ old: Double?, _ new: Double?, narrows: (Double, Double) -> Bool) -> (String, Bool)? {
            if old == new { return nil }
            func text(_ bound: Double?) -> String { bound.map { PlanText.number($0) } ?? "none" }
            let isNarrower = new.map { new in old.map { narrows($0, new) } ?? true } ?? false
            return ("\(name) \(text(old)) → \(text(new))", isNarrower)
        }
        return [change("min", old.min, new.min) { $1 > $0 }, change("max", old.max, new.max) { $1 < $0 }].compactMap(\.self)
    }
}

extension TrackingPlan {
    fileprivate var eventsByName: [ExactText: PlannedEventDeclaration] {
        Dictionary(events.map { (ExactText($0.name), $0) }) { first, _ in first }
    }
}

extension PlannedEventDeclaration {
    /// What a renamed event keeps.
    fileprivate var shape: Set<ExactText> { Set(properties.map { ExactText("\($0.path)|\($0.kind.rawValue)|\($0.isOptional)") }) }
}

extension PlannedProperty {
    /// The same property where it may be missing.
    fileprivate var optional: PlannedProperty {
        var optional = self
        optional.isOptional = true
        return optional
    }
}
