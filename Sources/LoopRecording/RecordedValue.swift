package import Basics
import LoopLogging
import TrackingEvents

/// A value as JSON has it: what a state or an event of a recording is made of.
///
/// Equal parts of two trees are often one object, and whoever compares stops there.
package enum RecordedValue {
    case null
    case bool(Bool)
    case integer(Int64)
    /// What is beyond `Int64.max`.
    case unsigned(UInt64)
    case number(Double)
    case text(String)
    case container(RecordedContainer)

    /// What stands in place of what is not to be seen.
    static var hidden: RecordedValue { .text(LogMask.text) }

    package static func array(_ values: [RecordedValue]) -> RecordedValue { .container(RecordedContainer(keys: nil, values: values)) }

    package var text: String? { if case .text(let text) = self { text } else { nil } }

    package var integer: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }

    package var container: RecordedContainer? { if case .container(let container) = self { container } else { nil } }

    /// The elements of an array; none of any other value.
    package var elements: [RecordedValue] { container.map { $0.keys == nil ? $0.values : [] } ?? [] }

    package subscript(key: String) -> RecordedValue? { container?[key] }

    /// Whether it is known without a look inside that both are equal.
    static func areIdentical(_ a: RecordedValue, _ b: RecordedValue) -> Bool {
        switch (a, b) {
        case (.container(let a), .container(let b)): a === b
        case (.container, _), (_, .container): false
        default: areEqual(a, b)
        }
    }

    /// Whether both are the same JSON. The order of an object's keys is of no account, and `5.0` is `5`.
    package static func areEqual(_ a: RecordedValue, _ b: RecordedValue) -> Bool {
        switch (a, b) {
        case (.null, .null): return true
        case (.bool(let a), .bool(let b)): return a == b
        case (.integer(let a), .integer(let b)): return a == b
        case (.unsigned(let a), .unsigned(let b)): return a == b
        case (.number(let a), .number(let b)): return a == b
        case (.integer(let whole), .number(let number)), (.number(let number), .integer(let whole)): return Double(exactly: whole) == number
        case (.unsigned(let whole), .number(let number)), (.number(let number), .unsigned(let whole)):
            return Double(exactly: whole) == number
        case (.text(let a), .text(let b)): return a == b
        case (.container(let a), .container(let b)):
            if a === b { return true }
            guard (a.keys == nil) == (b.keys == nil), a.values.count == b.values.count else { return false }
            guard let keys = a.keys else { return zip(a.values, b.values).allSatisfy(areEqual) }
            return zip(keys, a.values).enumerated().allSatisfy { index, entry in
                b.value(of: entry.0, near: index).map { areEqual(entry.1, $0) } ?? false
            }
        default: return false
        }
    }
}

/// An object or an array of a ``RecordedValue``. It does not change.
package final class RecordedContainer {
    /// The keys of an object, each once; `nil` for an array.
    package let keys: [String]?
    package let values: [RecordedValue]
    /// The `Equatable` value that it was made of.
    let source: Any?
    /// Whether the keys are in their order.
    private let isSorted: Bool

    init(keys: [String]?, values: [RecordedValue], source: Any? = nil, isSorted: Bool = false) {
        (self.keys, self.values, self.source, self.isSorted) = (keys, values, source, isSorted)
    }

    package subscript(key: String) -> RecordedValue? { value(of: key, near: 0) }

    /// - Complexity: O(1) where the key is at the index, else O(log n) of sorted keys and O(n) of others.
    func value(of key: String, near hint: Int) -> RecordedValue? { index(of: key, near: hint).map { values[$0] } }

    func index(of key: String, near hint: Int) -> Int? {
        guard let keys else { return Int(key).flatMap { values.indices.contains($0) ? $0 : nil } }
        if hint < keys.count, keys[hint] == key { return hint }
        guard isSorted else { return keys.firstIndex(of: key) }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key ? low : nil
    }
}

// MARK: Texts

extension RecordedValue {
    /// As JSON without white space.
    package var json: String {
        let bytes = ByteBuffer(capacity: 256)
        append(to: bytes)
        return bytes.text
    }

    package func append(to bytes: ByteBuffer) {
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

    /// Reads one JSON value with nothing but white space around it; `nil` for any other text.
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

    /// - Parameter line: where the value was found.
    private init(_ value: JSONValue, in line: UnsafeRawBufferPointer) {
        switch value.kind {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .string: self = .text(value.text.string(in: line))
        case .number:
            let text = value.text.string(in: line)
            self = Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) } ?? .number(Double(text) ?? 0)
        case .array, .object:
            var (keys, values): ([String], [RecordedValue]) = ([], [])
            var inside = JSONCursor(line, at: value.text.range.lowerBound)
            // It has been checked.
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
