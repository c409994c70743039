package import Basics
import LoopLogging
import TrackingEvents

/// A value as JSON has it: what a state or an event of a recording is made of. Equal parts of two trees are often one object, and a
/// comparison stops there. `5` and `5.0` are equal, and the order of an object's keys does not matter.
package enum RecordedValue: Equatable, JSONWritable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A `UInt64` above `Int64.max`.
    case unsigned(UInt64)
    /// Any other number: with a fraction, out of range, or -0. See ``init(_:)``.
    case number(Double)
    case text(String)
    case container(RecordedContainer)

    /// Stands in place of what must not be seen.
    static var hidden: RecordedValue { .text(LogMask.text) }

    package static func array(_ values: [RecordedValue]) -> RecordedValue { .container(RecordedContainer(keys: nil, values: values)) }

    package static func object(_ members: [(String, RecordedValue)]) -> RecordedValue {
        .container(RecordedContainer(keys: members.map(\.0), values: members.map(\.1)))
    }

    /// A finite number: an integer if it is whole and fits, but not for -0.
    init(_ number: Double) {
        let whole = Int64(exactly: number).flatMap { $0 == 0 && number.sign == .minus ? nil : $0 }
        self = whole.map { .integer($0) } ?? .number(number)
    }

    package var text: String? { if case .text(let text) = self { text } else { nil } }

    package var integer: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }

    package var container: RecordedContainer? { if case .container(let container) = self { container } else { nil } }

    /// The elements of an array; none of any other value.
    package var elements: [RecordedValue] { container.map { $0.keys == nil ? $0.values : [] } ?? [] }

    /// The keys and values of an object; none of any other value.
    package var members: [(String, RecordedValue)] { container.map { Array(zip($0.keys ?? [], $0.values)) } ?? [] }

    package subscript(key: String) -> RecordedValue? { container?.value(of: key, near: 0) }

    subscript(path path: String) -> RecordedValue? { JSONPointer.keys(of: path)?.reduce(self as RecordedValue?) { $0?[$1] } }

    /// Whether both are known to be equal without a look inside.
    static func areIdentical(_ a: RecordedValue, _ b: RecordedValue) -> Bool { a.container.map { $0 === b.container } ?? (a == b) }
}

/// An object or an array of a ``RecordedValue``. It does not change.
package final class RecordedContainer: Equatable {
    /// The keys of an object; `nil` for an array. In a parsed object a key may stand twice.
    package let keys: [String]?
    package let values: [RecordedValue]
    /// The `Equatable` value that it was made of.
    let source: Any?
    /// Where each key is; `nil` until that is asked for.
    private(set) var indices: [String: Int]?

    init(keys: [String]?, values: [RecordedValue], source: Any? = nil) { (self.keys, self.values, self.source) = (keys, values, source) }

    func value(of key: String, near hint: Int) -> RecordedValue? { index(of: key, near: hint).map { values[$0] } }

    /// - Complexity: O(1) if the key is at `hint` or there are few keys; else O(n) the first time and O(1) from then on.
    func index(of key: String, near hint: Int) -> Int? {
        guard let keys else { return Int(key).flatMap { values.indices.contains($0) ? $0 : nil } }
        if hint < keys.count, keys[hint] == key { return hint }
        if keys.count < 16 { return keys.firstIndex(of: key) }
        if indices == nil { indices = Dictionary(zip(keys, values.indices)) { first, _ in first } }
        return indices?[key]
    }

    package static func == (a: RecordedContainer, b: RecordedContainer) -> Bool {
        if a === b { return true }
        guard (a.keys == nil) == (b.keys == nil), a.values.count == b.values.count else { return false }
        guard let keys = a.keys else { return a.values == b.values }
        return keys.indices.allSatisfy { b.value(of: keys[$0], near: $0) == a.values[$0] }
    }
}

extension RecordedValue {
    /// As JSON without white space.
    package var json: String { ByteBuffer.text(capacity: 256, append) }

    package func write(to writer: inout JSONWriter) { writer.value(append) }

    func append(to bytes: ByteBuffer) {
        switch self {
        case .null: bytes.append("null")
        case .bool(let truth): truth ? bytes.append("true") : bytes.append("false")
        case .integer(let number): JSONText.append(number, to: bytes)
        case .unsigned(let number): bytes.append(number.description.utf8)
        case .number(let number): JSONText.append(number, to: bytes)
        case .text(let text): JSONText.append(text, to: bytes)
        case .container(let container):
            bytes.append(container.keys == nil ? "[" : "{")
            for (index, value) in container.values.enumerated() {
                if index > 0 { bytes.append(",") }
                if let keys = container.keys {
                    JSONText.append(keys[index], to: bytes)
                    bytes.append(":")
                }
                value.append(to: bytes)
            }
            bytes.append(container.keys == nil ? "]" : "}")
        }
    }

    /// Reads one JSON value, with white space around it; `nil` for any other, too long or too deep text. A number beyond doubles is a text.
    package static func parse(_ text: String) -> RecordedValue? {
        var text = text
        return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
    }

    package static func parse(_ line: UnsafeRawBufferPointer) -> RecordedValue? {
        guard line.count < EventLineScanner.lengthLimit else { return nil }
        var cursor = JSONCursor(line)
        cursor.skipWhiteSpace()
        guard let value = try? cursor.value() else { return nil }
        cursor.skipWhiteSpace()
        return cursor.byte == nil ? RecordedValue(value, in: line) : nil
    }

    private init(_ value: JSONValue, in line: UnsafeRawBufferPointer) {
        switch value.kind {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .string: self = .text(value.text.string(in: line))
        case .number:
            let text = value.text.string(in: line)
            let number = Double(text).flatMap { $0.isFinite ? RecordedValue($0) : nil }
            self = Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) } ?? number ?? .text(text)
        case .array, .object:
            var (keys, values): ([String], [RecordedValue]) = ([], [])
            var inside = JSONCursor(line, at: value.text.range.lowerBound)
            // Its JSON has been checked.
            if value.kind == .array {
                try? inside.forEachElement { values.append(RecordedValue($0, in: line)) }
            } else {
                try? inside.forEachEntry { key, value in
                    keys.append(key.string(in: line))
                    values.append(RecordedValue(value, in: line))
                }
            }
            self = .container(RecordedContainer(keys: value.kind == .array ? nil : keys, values: values))
        }
    }
}
