import Basics
import LoopCore

/// Not inside of the plan: a type within a generic one is looked up in the runtime's tables at each use.
private struct PlannedCase {
    let name: String
    let hasPayload: Bool
    /// Of a payload that can be read in place, with the number of its case.
    let payload: (plan: ValueLayout, isTuple: Bool, tag: UInt32)?
}

/// Enums that do not describe themselves. What their cases carry is remembered.
final class CaseLayout<Value>: TypedLayout<Value> {
    private var cases: [UInt: PlannedCase] = [:]

    override var isReflected: Bool { false }
    override var beginsWithName: Bool { namesItself }
    private let namesItself = !(Value.self is any NamedEvent.Type)
    /// They live as long as this plan, and hold it.
    private unowned let plans: ValueLayouts

    init(_ plans: ValueLayouts) { self.plans = plans }

    private func enumCase(of value: Value) -> PlannedCase {
        let tag = EnumTag.of(value)
        let key = tag.map { UInt($0) } ?? EventName.key(of: value)
        if let known = cases[key] { return known }
        let payload = Mirror(reflecting: value).children.first?.value
        let made = PlannedCase(
            name: ValueShape.caseName(of: value) ?? "", hasPayload: payload != nil,
            payload: payload.flatMap { payload in tag.flatMap { planned(payload, $0) } })
        cases[key] = made
        return made
    }

    /// How to read the payload of a case in place; `nil` where only a mirror can.
    ///
    /// - Parameter payload: of some value of the case, from a mirror, which boxes it by the type that the case declares.
    private func planned(_ payload: Any, _ tag: UInt32) -> (plan: ValueLayout, isTuple: Bool, tag: UInt32)? {
        guard EnumTag.hasPayloadInPlace(tag, of: Value.self) else { return nil }
        func open<Payload>(_: Payload) -> (plan: ValueLayout, isTuple: Bool, tag: UInt32)? {
            let plan = plans.plan(for: Payload.self)
            return plan.isReflected ? nil : (plan, TypeKind(of: Payload.self) == .tuple, tag)
        }
        return _openExistential(payload, do: open)
    }

    override func write(_ value: UnsafeRawPointer, to writer: inout ValueWriter, depth: Int) {
        let value = typed(value)
        let found = enumCase(of: value)
        writer.plain.write(found.name)
        if let (plan, isTuple, tag) = found.payload {
            return EnumTag.withPayload(of: value, tag) { payload in
                if isTuple { return plan.write(payload, to: &writer, depth: depth + 1) }
                writer.plain.write("(")
                writer.write(payload, plan, depth: depth + 1)
                writer.plain.write(")")
            }
        }
        if found.hasPayload, let payload = Mirror(reflecting: value).children.first?.value { writer.write(payload: payload, depth: depth) }
    }

    override func compareParts(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, in diff: inout StateDiff) {
        let (old, new) = (typed(old), typed(new))
        let (oldCase, newCase) = (enumCase(of: old), enumCase(of: new))
        guard oldCase.name == newCase.name else { return diff.changed(old, new) }
        if oldCase.hasPayload || newCase.hasPayload { diff.compareCases(old, new, Mirror(reflecting: old), Mirror(reflecting: new)) }
    }
}
