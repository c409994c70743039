import Basics
import TrackingEvents

/// A file that holds one JSON value, read strictly; what is in a value is read when it is asked for.
struct JSONDocument {
    let bytes: [UInt8]
    let root: JSONValue

    /// - Parameter start: where the value begins, white space left out.
    init(_ bytes: [UInt8], from start: Int) throws(BadLine) {
        self.bytes = bytes
        root = try Self.read(bytes, from: start) { cursor throws(BadLine) in
            cursor.skipWhiteSpace()
            let root = try cursor.value()
            cursor.skipWhiteSpace()
            if cursor.byte != nil { throw cursor.failure(.endOfLine) }
            return root
        }
    }

    /// The entries of an object, in their order; of any other value none.
    func entries(of object: JSONValue) throws(BadLine) -> [(key: LineText, value: JSONValue)] {
        var entries: [(key: LineText, value: JSONValue)] = []
        guard object.kind == .object else { return entries }
        try Self.read(bytes, from: object.offset) { cursor throws(BadLine) in try cursor.forEachEntry { entries.append(($0, $1)) } }
        return entries
    }

    /// The value behind some keys, of a key that stands twice the last; `nil` where there is none.
    func value(at path: String..., of object: JSONValue) throws(BadLine) -> JSONValue? {
        var found = object
        for key in path {
            guard let next = try entries(of: found).last(where: { string($0.key) == key })?.value else { return nil }
            found = next
        }
        return found
    }

    /// The elements of an array; any other value is the only one.
    func elements(of array: JSONValue) throws(BadLine) -> [JSONValue] {
        guard array.kind == .array else { return [array] }
        var elements: [JSONValue] = []
        try Self.read(bytes, from: array.offset) { cursor throws(BadLine) in try cursor.forEachElement { elements.append($0) } }
        return elements
    }

    func string(_ text: LineText) -> String { bytes.withUnsafeBytes { text.string(in: $0) } }

    /// A string's text; `nil` of any other value.
    func string(_ value: JSONValue?) -> String? { value.flatMap { $0.kind == .string ? string($0.text) : nil } }

    private static func read<Value>(
        _ bytes: [UInt8], from offset: Int, _ body: (inout JSONCursor) throws(BadLine) -> Value
    ) throws(BadLine) -> Value {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(BadLine) in
                var cursor = JSONCursor(bytes, at: offset)
                return try body(&cursor)
            }
        }
        return try result.get()
    }
}

extension JSONValue {
    var offset: Int { text.range.lowerBound - (kind == .string ? 1 : 0) }
}

extension BadLine {
    /// What was expected where JSON is wrong.
    var expected: String {
        switch reason {
        case .malformed(.endOfLine): "the end of the file"
        case .malformed(let expected): String(expected.rawValue.map { $0 == "\"" ? "`" : $0 })
        default: "less depth"
        }
    }
}
