import Basics
import LoopCore

/// One field of a struct or a tuple, to be read in place where that is allowed.
private struct LaidOutField {
    /// The name with a point before it; the elements of a tuple are called `.0`, `.1` …
    let path: String
    /// What stands before the value: a comma, and the name.
    let lead: String
    let offset: Int
    /// `nil` for a field that must not be read in place.
    let layout: ValueLayout?
}

extension ValueLayout {
    /// Compares what an `InlineArray` stores, which no mirror shows. Behind the kind of such a type stand the count and the type of the
    /// elements: `TargetFixedArrayTypeMetadata` in `include/swift/ABI/Metadata.h`.
    func takeElements<Value>(of type: Value.Type, _ layouts: ValueLayouts) {
        let metadata = unsafeBitCast(type as Any.Type, to: UnsafePointer<Int>.self)
        let (count, element) = (metadata[1], layouts.layout(for: unsafeBitCast(metadata[2], to: Any.Type.self)))
        let (size, stride) = (MemoryLayout<Value>.size, MemoryLayout<Value>.size / count)
        readsInPlace(type, comparableBytes: element.comparableBytes == stride ? size : 0, write: write) { old, new, diff in
            for offset in Swift.stride(from: 0, to: size, by: stride) where diff.visitsLeft >= 0 {
                diff.compare(old + offset, new + offset, element, at: "[\(offset / stride)]")
            }
        }
    }

    /// Reads structs and tuples that do not describe themselves. Most fields are read in place, the others through a mirror.
    func takeFields<Value>(of type: Value.Type, isTuple: Bool, _ layouts: ValueLayouts) {
        var fields: [LaidOutField] = []
        // For each field the bytes that, if equal, show that the field has not changed; empty where equal bytes do not show that.
        var fieldBytes: [Range<Int>] = []
        for field in TypeField.all(of: type) {
            var name = field.name
            var isReadable = field.isReadable
            if name.hasPrefix("_") {
                // A wrapped property loses its underscore if its value is sensitive. For some types only the value tells that.
                if field.type is any LogSensitive.Type {
                    name.removeFirst()
                } else {
                    isReadable = isReadable && [.struct, .enum, .tuple, .fixedArray].contains(field.kind)
                }
            }
            let layout = isReadable ? layouts.layout(for: field.type) : nil
            let lead = (fields.isEmpty ? "" : ", ") + (isTuple && name.hasPrefix(".") ? "" : "\(name): ")
            fields.append(LaidOutField(path: name.hasPrefix(".") ? name : ".\(name)", lead: lead, offset: field.offset, layout: layout))
            fieldBytes.append(field.offset..<field.offset + (layout?.comparableBytes ?? 0))
        }
        func child(_ number: Int, of value: UnsafeRawPointer) -> Mirror.Child {
            let children = Mirror(reflecting: value.assumingMemoryBound(to: Value.self).pointee).children
            return children[children.index(children.startIndex, offsetBy: number)]
        }
        let opening = isTuple ? "(" : "\(type)("
        readsInPlace(
            type, beginsWithName: !isTuple && !(type is any NamedEvent.Type),
            write: { [fields] value, writer, depth in
                writer.plain.write(opening)
                for number in 0..<fields.count {
                    if writer.plain.isFull { return }
                    let field = fields[number]
                    if let layout = field.layout {
                        writer.plain.write(field.lead)
                        writer.write(value + field.offset, layout, depth: depth + 1)
                    } else {
                        if number > 0 { writer.plain.write(", ") }
                        var child = child(number, of: value)
                        if isTuple && field.path == child.label { child.label = nil }
                        writer.write(child, depth: depth + 1)
                    }
                }
                writer.plain.write(")")
            },
            compare: { [fields, fieldBytes] old, new, diff in
                for number in 0..<fields.count {
                    if diff.visitsLeft < 0 { return diff.cutShort() }
                    let bytes = fieldBytes[number]
                    if !bytes.isEmpty, memcmp(old + bytes.lowerBound, new + bytes.lowerBound, bytes.count) == 0 {
                        diff.passEqual()
                        continue
                    }
                    let field = fields[number]
                    if let layout = field.layout {
                        diff.compare(old + field.offset, new + field.offset, layout, at: field.path)
                    } else {
                        diff.compare(child(number, of: old), child(number, of: new), at: number)
                    }
                }
            })
    }
}
