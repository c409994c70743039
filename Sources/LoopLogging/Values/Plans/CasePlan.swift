import LoopCore

/// Not inside of the plan: a type within a generic one is looked up in the runtime's tables at each use.
private struct PlannedCase {
    let name: String
    let hasPayload: Bool
}

/// Enums that do not describe themselves. Which cases have a payload is remembered.
final class CasePlan<Value>: TypedPlan<Value> {
    private var cases: [UInt: PlannedCase] = [:]

    override var isReflected: Bool { false }
    override var beginsWithName: Bool { namesItself }
    private let namesItself = !(Value.self is any NamedEvent.Type)

    private func enumCase(of value: Value) -> PlannedCase {
        let key = EnumTag.of(value).map { UInt($0) } ?? EventName.key(of: value)
        if let known = cases[key] { return known }
        let made = PlannedCase(name: ValueShape.caseName(of: value) ?? "", hasPayload: Mirror(reflecting: value).children.first != nil)
        cases[key] = made
        return made
    }

    override func write(_ value: UnsafeRawPointer, to writer: inout ValueWriter, depth: Int) {
        let value = typed(value)
        let found = enumCase(of: value)
        writer.plain.write(found.name)
        if found.hasPayload, let payload = Mirror(reflecting: value).children.first?.value { writer.write(payload: payload, depth: depth) }
    }

    override func compareParts(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, in diff: inout StateDiff) {
        let (old, new) = (typed(old), typed(new))
        let (oldCase, newCase) = (enumCase(of: old), enumCase(of: new))
        guard oldCase.name == newCase.name else { return diff.changed(old, new) }
        if oldCase.hasPayload || newCase.hasPayload { diff.compareCases(old, new, Mirror(reflecting: old), Mirror(reflecting: new)) }
    }
}
