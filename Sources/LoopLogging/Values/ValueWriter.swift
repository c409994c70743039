import LoopCore

/// Writes a value as `String(describing:)` would tell it, but for four things: sensitive values are masked, types stand without their
/// module, the text is fit for one line, and what is beyond the limit is not even looked at.
struct ValueWriter {
    /// Deeper values are told as `…`: nobody reads them, and a cycle must end.
    private static let depthLimit = 32

    private var plain: PlainText
    private let limit: Int

    private init(limit: Int) {
        self.limit = limit
        plain = PlainText(limit: limit)
    }

    /// - Parameter isNested: whether a text stands in quotes, as inside another value.
    static func text(of value: Any, limit: Int, isNested: Bool = false) -> String {
        var writer = ValueWriter(limit: limit)
        writer.write(value, depth: isNested ? 1 : 0)
        return writer.plain.text
    }

    private mutating func write(_ value: Any, depth: Int) {
        if plain.isFull { return }
        if depth > Self.depthLimit { return plain.write("…") }
        let mirror = Mirror(reflecting: value)
        // First, because a cast looks through optionals.
        if mirror.displayStyle == .optional { return writeOptional(mirror, depth: depth) }
        if value is any LogSensitive { return plain.write(LogMask.text) }
        if let text = value as? any StringProtocol { return write(text, isNested: depth > 0) }
        switch mirror.displayStyle {
        case .collection, .set: write(mirror, between: ("[", "]"), depth: depth) { $0.write($1.value, depth: depth + 1) }
        case .dictionary: writeEntries(mirror, depth: depth)
        case .tuple: writeTuple(mirror, depth: depth)
        default:
            if writeOwnDescription(of: value, isNested: depth > 0) { return }
            switch mirror.displayStyle {
            case .enum: writeCase(value, mirror, depth: depth)
            case .struct:
                plain.write(String(describing: mirror.subjectType))
                write(mirror, between: ("(", ")"), depth: depth) { $0.write($1, depth: depth + 1) }
            case .class: plain.write(String(reflecting: mirror.subjectType))
            default: print(value, terminator: "", to: &plain)
            }
        }
    }

    private mutating func writeOptional(_ mirror: Mirror, depth: Int) {
        guard let wrapped = mirror.children.first?.value else { return plain.write("nil") }
        plain.write("Optional(")
        write(wrapped, depth: depth + 1)
        plain.write(")")
    }

    /// No more of a long text is quoted than is shown.
    private mutating func write(_ text: any StringProtocol, isNested: Bool) {
        let shown = String(text.unicodeScalars.prefix(max(limit, 0) + 1).map(Character.init))
        plain.write(isNested ? shown.debugDescription : shown)
    }

    private mutating func writeEntries(_ mirror: Mirror, depth: Int) {
        if mirror.children.isEmpty { return plain.write("[:]") }
        write(mirror, between: ("[", "]"), depth: depth) { writer, entry in
            let pair = Mirror(reflecting: entry.value).children.map(\.value)
            guard pair.count == 2 else { return writer.write(entry.value, depth: depth + 1) }
            writer.write(pair[0], depth: depth + 1)
            writer.plain.write(": ")
            writer.write(pair[1], depth: depth + 1)
        }
    }

    private mutating func writeTuple(_ mirror: Mirror, depth: Int) {
        write(mirror, between: ("(", ")"), depth: depth) { writer, child in
            // Places without a label are called `.0`, `.1` …
            if child.label?.hasPrefix(".") ?? true { return writer.write(child.value, depth: depth + 1) }
            writer.write(child, depth: depth + 1)
        }
    }

    private mutating func writeCase(_ value: Any, _ mirror: Mirror, depth: Int) {
        guard let name = ValueShape.caseName(of: value) else { return print(value, terminator: "", to: &plain) }
        plain.write(name)
        guard let payload = mirror.children.first?.value else { return }
        let inner = Mirror(reflecting: payload)
        if inner.displayStyle == .tuple {
            writeTuple(inner, depth: depth + 1)
        } else {
            plain.write("(")
            write(payload, depth: depth + 1)
            plain.write(")")
        }
    }

    /// `label: value`.
    private mutating func write(_ child: Mirror.Child, depth: Int) {
        if let label = child.label { plain.write("\(ValueShape.label(label, of: child.value)): ") }
        write(child.value, depth: depth)
    }

    private mutating func write(
        _ mirror: Mirror, between brackets: (String, String), depth: Int, _ body: (inout ValueWriter, Mirror.Child) -> Void
    ) {
        plain.write(brackets.0)
        var isFirst = true
        for child in mirror.children {
            if plain.isFull { return }
            if !isFirst { plain.write(", ") }
            isFirst = false
            body(&self, child)
        }
        plain.write(brackets.1)
    }

    /// As the standard library chooses: for people at the top, for debugging inside.
    private mutating func writeOwnDescription(of value: Any, isNested: Bool) -> Bool {
        if isNested, let value = value as? any CustomDebugStringConvertible {
            plain.write(value.debugDescription)
        } else if let value = value as? any CustomStringConvertible {
            plain.write(value.description)
        } else if let value = value as? any CustomDebugStringConvertible {
            plain.write(value.debugDescription)
        } else {
            return false
        }
        return true
    }
}
