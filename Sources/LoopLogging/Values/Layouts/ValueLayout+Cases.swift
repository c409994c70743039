import Basics
import LoopCore

private struct LaidOutCase {
    let name: String
    let hasPayload: Bool
    /// How to read the payload in place, with the number of its case; `nil` where that cannot be done.
    let payload: (layout: ValueLayout, isTuple: Bool, tag: UInt32)?
}

extension ValueLayout {
    /// Reads enums that do not describe themselves. How to read the payload of a case is found out once.
    func takeCases<Value>(of type: Value.Type, _ layouts: ValueLayouts) {
        var cases: [UInt: LaidOutCase] = [:]
        // Unowned: the layouts hold this layout, and so live as long.
        let enumCase = { [unowned layouts] (value: Value) -> LaidOutCase in
            let tag = EnumTag.of(value)
            let key = tag.map { UInt($0) } ?? EventName.key(of: value)
            if let known = cases[key] { return known }
            let payload = Mirror(reflecting: value).children.first?.value
            /// How to read the payload in place; a mirror boxes it by the type that the case declares.
            func open<Payload>(_: Payload) -> (layout: ValueLayout, isTuple: Bool, tag: UInt32)? {
                guard let tag, EnumTag.hasPayloadInPlace(tag, of: type) else { return nil }
                let layout = layouts.layout(for: Payload.self)
                return layout.isReflected ? nil : (layout, TypeKind(of: Payload.self) == .tuple, tag)
            }
            let made = LaidOutCase(
                name: ValueShape.caseName(of: value) ?? "", hasPayload: payload != nil,
                payload: payload.flatMap { _openExistential($0, do: open) })
            cases[key] = made
            return made
        }
        readsInPlace(
            type, beginsWithName: !(type is any NamedEvent.Type),
            write: { pointer, writer, depth in
                let value = pointer.assumingMemoryBound(to: Value.self).pointee
                let found = enumCase(value)
                writer.plain.write(found.name)
                if let (layout, isTuple, tag) = found.payload {
                    return EnumTag.withPayload(of: value, tag) { payload in
                        if isTuple { return layout.write(payload, &writer, depth + 1) }
                        writer.plain.write("(")
                        writer.write(payload, layout, depth: depth + 1)
                        writer.plain.write(")")
                    }
                }
                if found.hasPayload, let payload = Mirror(reflecting: value).children.first?.value {
                    writer.write(payload: payload, depth: depth)
                }
            },
            compare: { old, new, diff in
                let (old, new) = (old.assumingMemoryBound(to: Value.self).pointee, new.assumingMemoryBound(to: Value.self).pointee)
                let (oldCase, newCase) = (enumCase(old), enumCase(new))
                guard oldCase.name == newCase.name else { return diff.changed(old, new) }
                if oldCase.hasPayload || newCase.hasPayload {
                    diff.compareCases(old, new, Mirror(reflecting: old), Mirror(reflecting: new))
                }
            })
    }
}
