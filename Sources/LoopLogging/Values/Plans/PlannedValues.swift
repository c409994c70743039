import LoopCore

extension String: PlannedValue {
    static func makeLayout(_ plans: ValueLayouts) -> ValueLayout { ValueLayout(leaf: String.self) { $1.write($0, isNested: $2) } }
}

extension Bool: PlannedValue {
    static func makeLayout(_ plans: ValueLayouts) -> ValueLayout {
        ValueLayout(leaf: Bool.self) { value, writer, _ in writer.plain.write(value ? "true" : "false") }
    }
}

extension PlannedValue where Self: BinaryFloatingPoint & CustomStringConvertible & CustomDebugStringConvertible {
    static func makeLayout(_ plans: ValueLayouts) -> ValueLayout {
        ValueLayout(leaf: Self.self, mayBeNaN: true) { $1.plain.write($2 ? $0.debugDescription : $0.description) }
    }
}

extension Double: PlannedValue {}
extension Float: PlannedValue {}

extension PlannedValue where Self: FixedWidthInteger {
    static func makeLayout(_ plans: ValueLayouts) -> ValueLayout {
        ValueLayout(leaf: Self.self) { value, writer, _ in writer.plain.write(value.description) }
    }
}

extension Int: PlannedValue {}
extension Int8: PlannedValue {}
extension Int16: PlannedValue {}
extension Int32: PlannedValue {}
extension Int64: PlannedValue {}
extension UInt: PlannedValue {}
extension UInt8: PlannedValue {}
extension UInt16: PlannedValue {}
extension UInt32: PlannedValue {}
extension UInt64: PlannedValue {}

extension Optional: PlannedValue {
    static func makeLayout(_ plans: ValueLayouts) -> ValueLayout {
        let plan = plans.plan(for: Wrapped.self)
        let value = { (pointer: UnsafeRawPointer) in pointer.assumingMemoryBound(to: Wrapped?.self) }
        let isNil = { (pointer: UnsafeRawPointer) in if case .none = value(pointer).pointee { true } else { false } }
        let layout = ValueLayout(of: Self.self)
        layout.readsInPlace(
            Self.self, comparableBytes: plan.comparableBytes > 0 ? MemoryLayout<Self>.size : 0,
            write: { pointer, writer, depth in
                if isNil(pointer) { return writer.plain.write("nil") }
                writer.plain.write("Optional(")
                // The wrapped value stands at the beginning of an optional's memory, as it would stand alone.
                writer.write(pointer, plan, depth: depth + 1)
                writer.plain.write(")")
            },
            compare: { old, new, diff in
                if isNil(old) || isNil(new) { return diff.compareOptionals(value(old).pointee, value(new).pointee) }
                diff.compare(old, new, plan)
            })
        return layout
    }
}

extension Array: PlannedValue {
    static func makeLayout(_ plans: ValueLayouts) -> ValueLayout {
        let plan = plans.plan(for: Element.self)
        let layout = ValueLayout(of: Self.self)
        layout.readsInPlace(
            Self.self,
            write: { pointer, writer, depth in
                writer.plain.write("[")
                pointer.assumingMemoryBound(to: Self.self).pointee.withUnsafeBytes { bytes in
                    for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Element>.stride) {
                        if writer.plain.isFull { break }
                        if offset > 0 { writer.plain.write(", ") }
                        writer.write(bytes.baseAddress! + offset, plan, depth: depth + 1)
                    }
                }
                writer.plain.write("]")
            },
            compare: { old, new, diff in
                diff.compareElements(old.assumingMemoryBound(to: Self.self).pointee, new.assumingMemoryBound(to: Self.self).pointee)
            })
        return layout
    }
}
