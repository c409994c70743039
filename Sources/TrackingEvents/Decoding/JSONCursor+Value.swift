package struct JSONValue: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case null, bool(Bool), number, string, object, array }

    package var kind: Kind
    /// The value as it stands, a string without its quotes.
    package var text: LineText

    /// The text of a string; `nil` for any other value.
    package func string(in bytes: UnsafeRawBufferPointer) -> String? { kind == .string ? text.string(in: bytes) : nil }

    /// A number that is whole and fits 64 bits; `nil` for any other value.
    package func integer(in bytes: UnsafeRawBufferPointer) -> Int64? { kind == .number ? JSONNumber.integer(text.bytes(in: bytes)) : nil }

    /// The elements of an array; none for any other value.
    package func elements(in bytes: UnsafeRawBufferPointer) throws(BadLine) -> [JSONValue] {
        var elements: [JSONValue] = []
        var cursor = JSONCursor(bytes, at: text.range.lowerBound)
        if kind == .array { try cursor.forEachElement { elements.append($0) } }
        return elements
    }
}

extension JSONCursor {
    /// Passes each key and value of the object that begins here to `body`.
    package mutating func forEachEntry(_ body: (LineText, JSONValue) -> Void) throws(BadLine) {
        guard take("{") else { throw failure(.object) }
        try forEachPart(before: "}", .commaOrBrace) { cursor throws(BadLine) in
            let key = try cursor.key()
            body(key, try cursor.value())
        }
    }

    /// Passes each element of the array that begins here to `body`.
    package mutating func forEachElement(_ body: (JSONValue) -> Void) throws(BadLine) {
        guard take("[") else { throw failure(.value) }
        try forEachPart(before: "]", .commaOrBracket) { cursor throws(BadLine) in body(try cursor.value()) }
    }

    @inline(__always)
    private mutating func forEachPart(
        before end: Unicode.Scalar, _ expected: BadLine.Expected, _ read: (inout JSONCursor) throws(BadLine) -> Void
    ) throws(BadLine) {
        skipWhiteSpace()
        if take(end) { return }
        while true {
            try read(&self)
            skipWhiteSpace()
            if take(end) { return }
            guard take(",") else { throw failure(expected) }
            skipWhiteSpace()
        }
    }

    package mutating func value() throws(BadLine) -> JSONValue {
        let start = offset
        switch byte ?? 0 {
        case UInt8(ascii: "\""): return JSONValue(kind: .string, text: try text())
        case UInt8(ascii: "{"):
            try nested { cursor throws(BadLine) in try cursor.forEachEntry { _, _ in } }
            return JSONValue(kind: .object, text: LineText(start..<offset))
        case UInt8(ascii: "["):
            try nested { cursor throws(BadLine) in try cursor.forEachElement { _ in } }
            return JSONValue(kind: .array, text: LineText(start..<offset))
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let end = JSONNumber.end(in: bytes, from: offset) else { throw failure(.number) }
            offset = end
            return JSONValue(kind: .number, text: LineText(start..<end))
        default: throw failure(.value)
        }
    }

    /// Runs `body` one level deeper; throws if that is deeper than ``depthLimit``.
    private mutating func nested(_ body: (inout JSONCursor) throws(BadLine) -> Void) throws(BadLine) {
        guard depth < depthLimit else { throw BadLine(.tooDeep, at: offset) }
        depth += 1
        try body(&self)
        depth -= 1
    }

    private mutating func literal(_ word: StaticString, _ kind: JSONValue.Kind) throws(BadLine) -> JSONValue {
        guard JSONBytes.matches(word, in: bytes, at: offset) else { throw failure(.value) }
        let start = offset
        offset += word.utf8CodeUnitCount
        return JSONValue(kind: kind, text: LineText(start..<offset))
    }
}
