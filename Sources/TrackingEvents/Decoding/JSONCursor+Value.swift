/// A value on a line: its kind and its range.
package struct JSONValue: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case null, bool(Bool), number, string, object, array }

    package var kind: Kind
    /// A string without its quotes; any other value whole.
    package var text: LineText
}

extension JSONCursor {
    /// Passes each key and value of the object that begins here to `body`.
    package mutating func forEachEntry(_ body: (LineText, JSONValue) -> Void) throws(BadLine) {
        guard take("{") else { throw failure(.object) }
        skipWhiteSpace()
        if take("}") { return }
        while true {
            let key = try key()
            body(key, try value())
            skipWhiteSpace()
            if take("}") { return }
            guard take(",") else { throw failure(.commaOrBrace) }
            skipWhiteSpace()
        }
    }

    /// Passes each element of the array that begins here to `body`.
    package mutating func forEachElement(_ body: (JSONValue) -> Void) throws(BadLine) {
        guard take("[") else { throw failure(.value) }
        skipWhiteSpace()
        if take("]") { return }
        while true {
            body(try value())
            skipWhiteSpace()
            if take("]") { return }
            guard take(",") else { throw failure(.commaOrBracket) }
            skipWhiteSpace()
        }
    }

    /// Reads the value that begins here.
    package mutating func value() throws(BadLine) -> JSONValue {
        switch byte ?? 0 {
        case UInt8(ascii: "\""): return JSONValue(kind: .string, text: try text())
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let start = offset
            let kind: JSONValue.Kind = bytes[offset] == UInt8(ascii: "{") ? .object : .array
            try container()
            return JSONValue(kind: kind, text: LineText(start..<offset))
        default: return try scalar()
        }
    }

    /// Reads a number, `true`, `false`, `null` or a string.
    private mutating func scalar() throws(BadLine) -> JSONValue {
        let start = offset
        switch byte ?? 0 {
        case UInt8(ascii: "\""): return JSONValue(kind: .string, text: try text())
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

    private mutating func literal(_ word: StaticString, _ kind: JSONValue.Kind) throws(BadLine) -> JSONValue {
        guard JSONBytes.matches(word, in: bytes, at: offset) else { throw failure(.value) }
        let start = offset
        offset += word.utf8CodeUnitCount
        return JSONValue(kind: kind, text: LineText(start..<offset))
    }

    /// Skips the object or array that begins here. The enclosing containers are a stack of bits, 1 for an object.
    private mutating func container() throws(BadLine) {
        var enclosing: UInt128 = 0
        var depth = 0
        while true {
            // An opening brace or bracket is here.
            let isObject = bytes[offset] == UInt8(ascii: "{")
            guard depth < depthLimit else { throw BadLine(.tooDeep, at: offset) }
            depth += 1
            enclosing = enclosing << 1 | (isObject ? 1 : 0)
            offset += 1
            skipWhiteSpace()
            let isEmpty = byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            if !isEmpty {
                if try element(ofObject: isObject) { continue }
            }
            // A value has ended, or an empty container is about to.
            var afterOpening = isEmpty
            while true {
                let inObject = enclosing & 1 == 1
                skipWhiteSpace()
                if !afterOpening && take(",") {
                    skipWhiteSpace()
                    if try element(ofObject: inObject) { break }
                } else if take(inObject ? "}" : "]") {
                    depth -= 1
                    enclosing >>= 1
                    if depth == 0 { return }
                    afterOpening = false
                } else {
                    throw failure(inObject ? .commaOrBrace : .commaOrBracket)
                }
            }
        }
    }

    /// Skips a key, if in an object, and a scalar. Returns `true`, before it, if a container follows.
    private mutating func element(ofObject: Bool) throws(BadLine) -> Bool {
        if ofObject { _ = try key() }
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return true }
        _ = try scalar()
        return false
    }
}
