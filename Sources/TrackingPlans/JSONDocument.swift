package import TrackingEvents

/// A file that holds one JSON value, read strictly; the content of a value is read when it is asked for.
package struct JSONDocument {
    package let bytes: [UInt8]
    /// Where the text begins: behind a byte order mark, if there is one.
    package let start: Int
    private let depthLimit: Int

    package init(_ bytes: [UInt8], depthLimit: Int = EventLineScanner.depthLimit) {
        (self.bytes, self.depthLimit) = (bytes, depthLimit)
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The first byte that is not UTF-8; the methods below take it for granted that there is none.
    package var firstInvalid: Int? { bytes.withUnsafeBytes { JSONBytes.firstInvalidUTF8(in: $0) } }

    /// The first byte of the text that is not white space; the end if there is none.
    package var firstOffset: Int { bytes[start...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count }

    /// The file's value. Nothing but white space may stand around it.
    package func root() throws(BadLine) -> JSONValue {
        try read(from: start) { cursor throws(BadLine) in
            cursor.skipWhiteSpace()
            let root = try cursor.value()
            cursor.skipWhiteSpace()
            if cursor.byte != nil { throw cursor.failure(.endOfLine) }
            return root
        }
    }

    /// The entries of an object, in their order; none for any other value.
    package func entries(of object: JSONValue) throws(BadLine) -> [(key: LineText, value: JSONValue)] {
        var entries: [(key: LineText, value: JSONValue)] = []
        guard object.kind == .object else { return entries }
        try read(from: object.offset) { cursor throws(BadLine) in try cursor.forEachEntry { entries.append(($0, $1)) } }
        return entries
    }

    /// The value at a path of keys; `nil` where there is none. Of a key that stands twice, the last one counts.
    package func value(at path: String..., of object: JSONValue) throws(BadLine) -> JSONValue? {
        var found = object
        for key in path {
            guard let next = try entries(of: found).last(where: { string($0.key) == key })?.value else { return nil }
            found = next
        }
        return found
    }

    /// The elements of an array; any other value counts as one element.
    package func elements(of array: JSONValue) throws(BadLine) -> [JSONValue] {
        guard array.kind == .array else { return [array] }
        return try read(from: array.offset) { cursor throws(BadLine) in try array.elements(in: cursor.bytes) }
    }

    package func string(_ text: LineText) -> String { bytes.withUnsafeBytes { text.string(in: $0) } }

    /// A string's text; `nil` for any other value.
    package func string(_ value: JSONValue?) -> String? { value.flatMap { $0.kind == .string ? string($0.text) : nil } }

    private func read<Value>(from offset: Int, _ body: (inout JSONCursor) throws(BadLine) -> Value) throws(BadLine) -> Value {
        try bytes.withUnsafeBufferPointer { bytes throws(BadLine) in
            var cursor = JSONCursor(UnsafeRawBufferPointer(bytes), at: offset, depthLimit: depthLimit)
            return try body(&cursor)
        }
    }
}

extension JSONValue { package var offset: Int { text.range.lowerBound - (kind == .string ? 1 : 0) } }
