import Basics
import LoopCore
import TrackingEvents

/// A digest of all that a recording assumes about its types.
enum RecordedShape {
    /// The first 16 hexadecimal digits of SHA-256 over the types that are reachable from these: name, kind, fields with their types, and
    /// the names of an enum's cases where the runtime knows them.
    static func digest(of types: any Any.Type...) -> String {
        var seen: Set<ObjectIdentifier> = []
        var text = ""
        var waiting = types
        while let type = waiting.popLast() {
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            let kind = TypeKind(of: type)
            text += "\(name(of: type)) \(kind.map { "\($0)" } ?? "other")"
            if let held = type as? any HoldingTypes.Type {
                waiting += held.types
            } else if kind == .struct || kind == .tuple {
                for field in TypeField.all(of: type) {
                    text += " \(field.name): \(name(of: field.type))"
                    waiting.append(field.type)
                }
            } else if kind == .enum {
                func cases<Value>(_: Value.Type) -> [String] { EnumTag.caseNames(of: Value.self) }
                text += " " + _openExistential(type, do: cases).joined(separator: " ")
            }
            text += "\n"
        }
        let digest = SHA256.digest(of: text.utf8)
        return (0..<8).map { Hexadecimal.text(UInt64(digest[$0]), digits: 2) }.joined()
    }

    /// The name as the source spells it, with its module. The address of a private type's context, which differs by build, is left out.
    static func name(of type: any Any.Type) -> String {
        let name = String(reflecting: type)
        // A regular expression is costly to make, and few types are private.
        return name.contains("(unknown") ? name.replacing(#/\(unknown context at [^)]*\)\./#, with: "") : name
    }
}

/// A type of the language that holds values of other types.
private protocol HoldingTypes { static var types: [any Any.Type] { get } }

extension Optional: HoldingTypes { fileprivate static var types: [any Any.Type] { [Wrapped.self] } }
extension Array: HoldingTypes { fileprivate static var types: [any Any.Type] { [Element.self] } }
extension Set: HoldingTypes { fileprivate static var types: [any Any.Type] { [Element.self] } }
extension Dictionary: HoldingTypes { fileprivate static var types: [any Any.Type] { [Key.self, Value.self] } }
