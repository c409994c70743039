import Basics
import LoopCore

/// Not nested in `FieldsLayout`: looking up the metadata of a type within a generic one is slow.
private struct PlannedField {
    /// The name with a point before it; the elements of a tuple are called `.0`, `.1` …
    let path: String
    /// What stands before the value: a comma, and the name.
    let lead: String
    let offset: Int
    /// `nil` for a field that must not be read in place.
    let plan: ValueLayout?
}

/// Structs and tuples that do not describe themselves. Most fields are read in place, the others through a mirror.
final class FieldsLayout<Value>: TypedLayout<Value> {
    private let isTuple: Bool
    private let opening: String
    private var fields: [PlannedField] = []
    /// For each field the bytes that say whether it is as it was, without a look at the field itself; none where they do not say so.
    private var fieldBytes: [Range<Int>] = []
    override var beginsWithName: Bool { namesItself }
    private let namesItself: Bool

    init(isTuple: Bool) {
        self.isTuple = isTuple
        namesItself = !isTuple && !(Value.self is any NamedEvent.Type)
        opening = isTuple ? "(" : "\(Value.self)("
    }

    override var isReflected: Bool { false }

    /// Asks the type for its fields; after the plan was made, because a field may hold values of this type again.
    func takeFields(_ plans: ValueLayouts) {
        for field in TypeField.all(of: Value.self) {
            var name = field.name
            var isReadable = field.isReadable
            if name.hasPrefix("_") {
                // A wrapped property loses its underscore if its value is sensitive, which not every type knows of its values.
                if field.type is any LogSensitive.Type {
                    name.removeFirst()
                } else {
                    isReadable = isReadable && [.struct, .enum, .tuple].contains(field.kind)
                }
            }
            let plan = isReadable ? plans.plan(for: field.type) : nil
            fields.append(PlannedField(path: name.hasPrefix(".") ? name : ".\(name)", lead: lead(name), offset: field.offset, plan: plan))
            fieldBytes.append(field.offset..<field.offset + (plan?.comparableBytes ?? 0))
        }
    }

    private func lead(_ name: String) -> String {
        (fields.isEmpty ? "" : ", ") + (isTuple && name.hasPrefix(".") ? "" : "\(name): ")
    }

    private func child(_ number: Int, of value: UnsafeRawPointer) -> Mirror.Child {
        let children = Mirror(reflecting: typed(value)).children
        return children[children.index(children.startIndex, offsetBy: number)]
    }

    override func write(_ value: UnsafeRawPointer, to writer: inout ValueWriter, depth: Int) {
        writer.plain.write(opening)
        for number in 0..<fields.count {
            if writer.plain.isFull { return }
            let field = fields[number]
            if let plan = field.plan {
                writer.plain.write(field.lead)
                writer.write(value + field.offset, plan, depth: depth + 1)
            } else {
                if number > 0 { writer.plain.write(", ") }
                var child = child(number, of: value)
                if isTuple && field.path == child.label { child.label = nil }
                writer.write(child, depth: depth + 1)
            }
        }
        writer.plain.write(")")
    }

    override func compareParts(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, in diff: inout StateDiff) {
        for number in 0..<fields.count {
            if diff.visitsLeft < 0 { return diff.cutShort() }
            let bytes = fieldBytes[number]
            if !bytes.isEmpty, memcmp(old + bytes.lowerBound, new + bytes.lowerBound, bytes.count) == 0 {
                diff.passEqual()
                continue
            }
            let field = fields[number]
            if let plan = field.plan {
                diff.compare(old + field.offset, new + field.offset, plan, at: field.path)
            } else {
                diff.compare(child(number, of: old), child(number, of: new), at: number)
            }
        }
    }
}
