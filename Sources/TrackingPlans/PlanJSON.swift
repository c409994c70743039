import Basics

/// A value of the plan's file and where it stands.
///
/// The file is read with its own small reader: errors need line and column, generated code needs the order of the keys, and a key
/// that stands twice is an error. Foundation's decoder gives none of these.
struct PlanJSON {
    struct Member {
        let key: String
        let keyPlace: Int
        let value: PlanJSON
    }

    enum Kind {
        case null
        case bool(Bool)
        /// As the file spells it.
        case number(String)
        case string(String)
        case array([PlanJSON])
        case object([Member])
    }

    let kind: Kind
    /// The byte at which it begins.
    let place: Int

    /// The value in the words of an error: `the number 3`, `an object`.
    var words: String {
        switch kind {
        case .null: "`null`"
        case .bool(let truth): "`\(truth)`"
        case .number(let text): "the number \(text)"
        case .string(let text): "the text \(PlanText.quoted(text))"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Reads JSON (RFC 8259) strictly, with places.
struct PlanJSONReader {
    /// Deeper nesting is refused: a plan needs five levels, and the reader recurses.
    static let maxDepth = 32

    private let text: PlanText
    private var place: Int

    static func read(_ text: PlanText) throws(PlanError) -> PlanJSON {
        var reader = PlanJSONReader(text: text, place: text.start)
        reader.skipWhiteSpace()
        let value = try reader.value(depth: 0)
        reader.skipWhiteSpace()
        if reader.byte != nil { throw reader.failure("the end of the file") }
        return value
    }

    private var byte: UInt8? { place < text.bytes.count ? text.bytes[place] : nil }

    private func failure(_ expected: String, at place: Int? = nil) -> PlanError {
        let place = place ?? self.place
        return PlanError(at: text.place(of: place), found: text.word(at: place), expected: expected)
    }

    private mutating func skipWhiteSpace() {
        while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
    }

    private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: wanted) else { return false }
        place += 1
        return true
    }

    private mutating func value(depth: Int) throws(PlanError) -> PlanJSON {
        let start = place
        switch byte {
        case UInt8(ascii: "{"): return PlanJSON(kind: .object(try members(depth: depth)), place: start)
        case UInt8(ascii: "["): return PlanJSON(kind: .array(try elements(depth: depth)), place: start)
        case UInt8(ascii: "\""): return PlanJSON(kind: .string(try string()), place: start)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            return PlanJSON(kind: .number(try number()), place: start)
        default:
            for (word, kind) in [("true", PlanJSON.Kind.bool(true)), ("false", .bool(false)), ("null", .null)]
            where text.bytes[place...].starts(with: word.utf8) {
                place += word.utf8.count
                return PlanJSON(kind: kind, place: start)
            }
            throw failure("a value")
        }
    }

    private func checkDepth(_ depth: Int) throws(PlanError) {
        if depth >= Self.maxDepth { throw failure("at most \(Self.maxDepth) levels of brackets") }
    }

    private mutating func members(depth: Int) throws(PlanError) -> [PlanJSON.Member] {
        try checkDepth(depth)
        place += 1
        var members: [PlanJSON.Member] = []
        var places: [ExactText: Int] = [:]
        skipWhiteSpace()
        if take("}") { return members }
        while true {
            let keyPlace = place
            guard byte == UInt8(ascii: "\"") else { throw failure(members.isEmpty ? "a key in quotes or `}`" : "a key in quotes") }
            let key = try string()
            if let earlier = places.updateValue(keyPlace, forKey: ExactText(key)) {
                throw PlanError(
                    at: text.place(of: keyPlace), found: "the key \(PlanText.quoted(key)) again", expected: "each key once",
                    other: text.place(of: earlier))
            }
            skipWhiteSpace()
            guard take(":") else { throw failure("`:`") }
            skipWhiteSpace()
            members.append(PlanJSON.Member(key: key, keyPlace: keyPlace, value: try value(depth: depth + 1)))
            skipWhiteSpace()
            if take("}") { return members }
            guard take(",") else { throw failure("`,` or `}`") }
            skipWhiteSpace()
        }
    }

    private mutating func elements(depth: Int) throws(PlanError) -> [PlanJSON] {
        try checkDepth(depth)
        place += 1
        var elements: [PlanJSON] = []
        skipWhiteSpace()
        if take("]") { return elements }
        while true {
            elements.append(try value(depth: depth + 1))
            skipWhiteSpace()
            if take("]") { return elements }
            guard take(",") else { throw failure("`,` or `]`") }
            skipWhiteSpace()
        }
    }

    private mutating func number() throws(PlanError) -> String {
        let start = place
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: text.bytes[start..<place], as: UTF8.self)
    }

    private mutating func digits() throws(PlanError) {
        let start = place
        while let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
        if place == start { throw failure("a digit") }
    }

    private mutating func string() throws(PlanError) -> String {
        let start = place
        place += 1
        var bytes: [UInt8] = []
        while true {
            guard let byte else { throw failure("a closing `\"` for the text that begins at \(text.place(of: start).words)") }
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"): bytes += Array(String(try escape()).utf8)
            case 0..<0x20: throw failure("an escape such as `\\n`, as a text holds no control characters")
            default:
                bytes.append(byte)
                place += 1
            }
        }
    }

    private mutating func escape() throws(PlanError) -> Unicode.Scalar {
        let start = place
        place += 1
        guard let kind = byte else { throw failure("an escape", at: start) }
        place += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try unit(from: start)
            if let scalar = Unicode.Scalar(unit) { return scalar }
            // A high surrogate and its low one.
            if unit < 0xDC00, take("\\"), take("u") {
                let low = try self.unit(from: start)
                if (0xDC00...0xDFFF).contains(low), let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) {
                    return scalar
                }
            }
            throw failure("a pair of surrogates", at: start)
        default: throw failure("an escape: one of `\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u`", at: start)
        }
    }

    private mutating func unit(from start: Int) throws(PlanError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("four hexadecimal digits", at: start)
            }
            unit = unit << 4 | UInt32(digit)
            place += 1
        }
        return unit
    }
}

extension PlanError.Place {
    /// `line 3, column 14`
    var words: String { "line \(line), column \(column)" }
}
