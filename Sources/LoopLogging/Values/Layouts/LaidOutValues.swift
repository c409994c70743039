import LoopCore

extension String: LaidOutValue {
    static func makeLayout(_ layouts: ValueLayouts) -> ValueLayout { ValueLayout(leaf: String.self) { $1.write($0, isNested: $2) } }
}

extension LaidOutValue where Self: BinaryFloatingPoint & CustomStringConvertible & CustomDebugStringConvertible {
    static func makeLayout(_ layouts: ValueLayouts) -> ValueLayout {
        ValueLayout(leaf: Self.self, mayBeNaN: true) { $1.plain.write($2 ? $0.debugDescription : $0.description) }
    }
}

extension Double: LaidOutValue {}
extension Float: LaidOutValue {}

extension LaidOutValue where Self: Equatable & CustomStringConvertible {
    static func makeLayout(_ layouts: ValueLayouts) -> ValueLayout {
        ValueLayout(leaf: Self.self) { value, writer, _ in writer.plain.write(value.description) }
    }
}

extension Bool: LaidOutValue {}
extension Int: LaidOutValue {}
extension Int8: LaidOutValue {}
extension Int16: LaidOutValue {}
extension Int32: LaidOutValue {}
extension Int64: LaidOutValue {}
extension UInt: LaidOutValue {}
extension UInt8: LaidOutValue {}
extension UInt16: LaidOutValue {}
extension UInt32: LaidOutValue {}
extension UInt64: LaidOutValue {}

extension Optional: LaidOutValue {
    static func makeLayout(_ layouts: ValueLayouts) -> ValueLayout {
        let wrapped = layouts.layout(for: Wrapped.self)
        let value = { (pointer: UnsafeRawPointer) in pointer.assumingMemoryBound(to: Wrapped?.self) }
        let isNil = { (pointer: UnsafeRawPointer) in if case .none = value(pointer).pointee { true } else { false } }
        let layout = ValueLayout(of: Self.self)
        layout.readsInPlace(
            Self.self, comparableBytes: wrapped.comparableBytes > 0 ? MemoryLayout<Self>.size : 0,
            write: { pointer, writer, depth in
                if isNil(pointer) { return writer.plain.write("nil") }
                writer.plain.write("Optional(")
                // The wrapped value stands at the beginning of an optional's memory, as it would stand alone.
                writer.write(pointer, wrapped, depth: depth + 1)
                writer.plain.write(")")
            },
            compare: { old, new, diff in
                if isNil(old) || isNil(new) { return diff.compareOptionals(value(old).pointee, value(new).pointee) }
                diff.compare(old, new, wrapped)
            })
        return layout
    }
}

extension Array: LaidOutValue {
    static func makeLayout(_ layouts: ValueLayouts) -> ValueLayout {
        let element = layouts.layout(for: Element.self)
        let layout = ValueLayout(of: Self.self)
        layout.readsInPlace(
            Self.self,
            write: { pointer, writer, depth in
                writer.plain.write("[")
                pointer.assumingMemoryBound(to: Self.self).pointee.withUnsafeBytes { bytes in
                    for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Element>.stride) {
                        if writer.plain.isFull { break }
                        if offset > 0 { writer.plain.write(", ") }
                        writer.write(bytes.baseAddress! + offset, element, depth: depth + 1)
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
