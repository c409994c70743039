import LoopCore
@_spi(Reflection) import Swift

/// Structs and tuples that do not describe themselves. Most fields are read in place, the others through a mirror.
final class FieldsPlan<Value>: TypedPlan<Value> {
    private struct Field {
        /// As reflection spells it: the places of a tuple are called `.0`, `.1` …
        let name: String
        /// The name with a point before it.
        let path: String
        /// What stands before the value: a comma, and the name.
        let lead: String
        let offset: Int
        /// `nil` for a field that must not be read in place.
        let plan: ValuePlan?
    }

    /// `_EachFieldOptions.ignoreUnknown`, which Swift 6 refuses to read because it is declared as a variable.
    private static var ignoresUnknown: UInt32 { 1 << 1 }

    private let isTuple: Bool
    private let opening: String
    private var fields: [Field] = []

    init(isTuple: Bool) {
        self.isTuple = isTuple
        opening = isTuple ? "(" : "\(Value.self)("
    }

    override var isReflected: Bool { false }
    override var beginsWithName: Bool { !isTuple && !(Value.self is any NamedEvent.Type) }

    /// Asks the type for its fields; after the plan was made, because a field may hold values of this type again.
    func takeFields(_ plans: ValuePlans) {
        // Leaves out what is `weak` or `unowned`, closures and metatypes.
        var readable: Set<String> = []
        _forEachFieldWithKeyPath(of: Value.self, options: _EachFieldOptions(rawValue: Self.ignoresUnknown)) { name, _ in
            readable.insert(String(cString: name))
            return true
        }
        _forEachField(of: Value.self) { cName, offset, type, kind in
            var name = String(cString: cName)
            var isReadable = readable.contains(name)
            if name.hasPrefix("_") {
                // A wrapped property loses its underscore if its value is sensitive, which not every type knows of its values.
                if type is any LogSensitive.Type {
                    name.removeFirst()
                } else {
                    isReadable = isReadable && [.struct, .enum, .tuple].contains(kind)
                }
            }
            fields.append(
                Field(
                    name: name, path: name.hasPrefix(".") ? name : ".\(name)", lead: lead(name), offset: offset,
                    plan: isReadable ? plans.plan(for: type) : nil))
            return true
        }
    }

    private func lead(_ name: String) -> String {
        (fields.isEmpty ? "" : ", ") + (isTuple && name.hasPrefix(".") ? "" : "\(name): ")
    }

    private func children(_ value: UnsafeRawPointer) -> [Mirror.Child] { Array(Mirror(reflecting: typed(value)).children) }

    override func write(_ value: UnsafeRawPointer, to writer: inout ValueWriter, depth: Int) {
        writer.plain.write(opening)
        var mirrored: [Mirror.Child]?
        for (place, field) in fields.enumerated() {
            if writer.plain.isFull { return }
            if let plan = field.plan {
                writer.plain.write(field.lead)
                writer.write(value + field.offset, plan, depth: depth + 1)
            } else {
                let children = mirrored ?? children(value)
                mirrored = children
                if place > 0 { writer.plain.write(", ") }
                if !field.lead.hasSuffix(": ") {
                    writer.write(children[place].value, depth: depth + 1)
                } else {
                    writer.write(children[place], depth: depth + 1)
                }
            }
        }
        writer.plain.write(")")
    }

    override func compareParts(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, in diff: inout StateDiff) {
        var mirrored: (old: [Mirror.Child], new: [Mirror.Child])?
        for (place, field) in fields.enumerated() {
            if diff.visitsLeft < 0 { return diff.cutShort() }
            if let plan = field.plan {
                diff.compare(old + field.offset, new + field.offset, plan, at: field.path)
            } else {
                let children = mirrored ?? (children(old), children(new))
                mirrored = children
                diff.compare(children.old[place], children.new[place], at: place)
            }
        }
    }
}
