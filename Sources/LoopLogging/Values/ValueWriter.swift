import Basics
import LoopCore

/// Writes a value as `String(describing:)` prints it, with four differences: sensitive values are masked, types stand without their
/// module, the text fits on one line, and what is beyond the limit is not even looked at.
struct ValueWriter {
    /// Deeper values are written as `…`: nobody reads them, and a cycle must end.
    private static let depthLimit = 32

    var plain: PlainText
    private let limit: Int
    private let layouts: ValueLayouts?

    /// - Parameter limit: how many Unicode scalars are written. Without `layouts` every value is reflected anew.
    init(limit: Int, layouts: ValueLayouts?, into bytes: ByteBuffer = ByteBuffer(capacity: 64)) {
        (self.limit, self.layouts, plain) = (limit, layouts, PlainText(limit: limit, into: bytes))
    }

    /// - Parameter isNested: whether a text stands in quotes, as inside another value.
    static func text(
        of value: Any, limit: Int, layouts: ValueLayouts? = nil, isNested: Bool = false, by bytes: ByteBuffer = ByteBuffer(capacity: 64)
    ) -> String { text(limit: limit, layouts: layouts, by: bytes) { $0.write(value, depth: isNested ? 1 : 0) } }

    static func text(limit: Int, layouts: ValueLayouts?, by bytes: ByteBuffer, _ write: (inout ValueWriter) -> Void) -> String {
        // What the buffer holds already is left alone.
        let start = bytes.count
        defer { bytes.truncate(to: start) }
        var writer = ValueWriter(limit: limit, layouts: layouts, into: bytes)
        write(&writer)
        return String(decoding: bytes.bytes[start...], as: UTF8.self)
    }

    mutating func write(_ value: Any, depth: Int) {
        guard let layouts else { return reflect(value, depth: depth) }
        func open<Concrete>(_ value: Concrete) {
            let layout = layouts.layout(for: Concrete.self)
            if layout.isReflected { return reflect(value, depth: depth) }
            withUnsafePointer(to: value) { write(UnsafeRawPointer($0), layout, depth: depth) }
        }
        _openExistential(value, do: open)
    }

    mutating func write(_ value: UnsafeRawPointer, _ layout: ValueLayout, depth: Int) {
        if plain.isFull { return }
        if depth > Self.depthLimit { return plain.write("…") }
        layout.write(value, &self, depth)
    }

    mutating func reflect(_ value: Any, depth: Int) {
        if plain.isFull { return }
        if depth > Self.depthLimit { return plain.write("…") }
        let mirror = Mirror(reflecting: value)
        // First, because a cast looks through optionals.
        if mirror.displayStyle == .optional {
            guard let wrapped = mirror.children.first?.value else { return plain.write("nil") }
            plain.write("Optional(")
            write(wrapped, depth: depth + 1)
            return plain.write(")")
        }
        if value is any LogSensitive { return plain.write(LogMask.text) }
        if let text = value as? any StringProtocol {
            return write(String(text.unicodeScalars.prefix(max(limit, 0) + 1).map(Character.init)), isNested: depth > 0)
        }
        switch mirror.displayStyle {
        case .collection, .set: write(mirror, between: ("[", "]"), depth: depth) { $0.write($1.value, depth: depth + 1) }
        case .dictionary: writeEntries(mirror, depth: depth)
        case .tuple: writeTuple(mirror, depth: depth)
        default:
            // A value's own description, as in the standard library: `debugDescription` inside other values, else `description`.
            let (own, debug) = (value as? any CustomStringConvertible, value as? any CustomDebugStringConvertible)
            if let debug, depth > 0 || own == nil { return plain.write(debug.debugDescription) }
            if let own { return plain.write(own.description) }
            switch mirror.displayStyle {
            case .enum:
                guard let name = ValueShape.caseName(of: value) else { return print(value, terminator: "", to: &plain) }
                plain.write(name)
                if let payload = mirror.children.first?.value { write(payload: payload, depth: depth) }
            case .struct:
                plain.write(String(describing: mirror.subjectType))
                write(mirror, between: ("(", ")"), depth: depth) { $0.write($1, depth: depth + 1) }
            case .class: plain.write(String(reflecting: mirror.subjectType))
            default: print(value, terminator: "", to: &plain)
            }
        }
    }

    /// No more of a long text is quoted than is shown.
    mutating func write(_ text: String, isNested: Bool) {
        if !isNested { return plain.write(text) }
        var text = text
        let isWritten = text.withUTF8 { utf8 in
            let shown = UnsafeBufferPointer(rebasing: utf8.prefix(max(limit, 0) + 1))
            guard shown.allSatisfy(Self.standsForItself) else { return false }
            plain.write("\"")
            plain.write(shown)
            plain.write("\"")
            return true
        }
        if !isWritten { plain.write(String(text.unicodeScalars.prefix(max(limit, 0) + 1).map(Character.init)).debugDescription) }
    }

    /// Whether a quoted text shows a byte as it is: printable ASCII without quotes and backslash.
    private static func standsForItself(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
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
            // Elements without a label are called `.0`, `.1` …
            if child.label?.hasPrefix(".") ?? true { return writer.write(child.value, depth: depth + 1) }
            writer.write(child, depth: depth + 1)
        }
    }

    /// The payload of a case, in brackets.
    mutating func write(payload: Any, depth: Int) {
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
    mutating func write(_ child: Mirror.Child, depth: Int) {
        if let label = child.label { plain.write("\(ValueShape.label(label, of: child.value)): ") }
        write(child.value, depth: depth)
    }

    private mutating func write(
        _ mirror: Mirror, between brackets: (String, String), depth: Int, _ body: (inout ValueWriter, Mirror.Child) -> Void
    ) {
        plain.write(brackets.0)
        for (index, child) in mirror.children.enumerated() {
            if plain.isFull { return }
            if index > 0 { plain.write(", ") }
            body(&self, child)
        }
        plain.write(brackets.1)
    }
}
