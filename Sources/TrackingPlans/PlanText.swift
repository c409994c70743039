import Basics
import TrackingEvents

/// The text of a plan's file: reads JSON strictly (RFC 8259), finds lines and columns, and quotes what stands at an offset.
package struct PlanText {
    static let maxBytes = 1 << 20
    /// Deeper nesting is refused: a plan needs five levels.
    static let maxDepth = 32

    let document: JSONDocument
    private var bytes: [UInt8] { document.bytes }

    init(_ bytes: [UInt8]) throws(PlanError) {
        document = JSONDocument(bytes, depthLimit: Self.maxDepth)
        if bytes.count > Self.maxBytes { throw failure(at: 0, "\(bytes.count) bytes", "at most \(Self.maxBytes)") }
        if let invalid = document.firstInvalid { throw failure(at: invalid, "a byte that is not UTF-8", "UTF-8") }
    }

    private func place(of offset: Int) -> PlanError.Place {
        let place = TextPlace(ofByte: offset, in: bytes)
        return PlanError.Place(line: place.line, column: place.column)
    }

    func failure(at offset: Int, _ found: String, _ expected: String, other: Int? = nil) -> PlanError {
        PlanError(place: place(of: offset), found: found, expected: expected, other: other.map(place))
    }

    func reading<Value>(_ body: (JSONDocument) throws(BadLine) -> Value) throws(PlanError) -> Value {
        do throws(BadLine) { return try body(document) } catch { throw failure(error) }
    }

    /// Refuses half a surrogate pair, which no text can hold. All bytes are searched: JSON has backslashes in strings only.
    func checkSurrogates() throws(PlanError) {
        if let lone = bytes.withUnsafeBytes({ JSONUnescaping.loneSurrogates(in: $0).first }) {
            throw failure(at: lone, word(at: lone), "a pair of surrogates")
        }
    }

    private func failure(_ error: BadLine) -> PlanError {
        var offset = error.byteOffset
        let expected =
            switch error.reason {
            case .tooDeep: "at most \(Self.maxDepth) levels of brackets"
            case .malformed(.key): isBehindBrace(offset) ? "a key in quotes or `}`" : "a key in quotes"
            case .malformed(.colon): "`:`"
            case .malformed(.commaOrBrace): "`,` or `}`"
            case .malformed(.commaOrBracket): "`,` or `]`"
            case .malformed(.closingQuote): "a closing `\"` for the text that begins at \(startOfOpenText)"
            case .malformed(.escapedControl): "an escape such as `\\n`, as a text holds no control characters"
            case .malformed(.escape):
                offset + 1 >= bytes.count
                    ? "an escape"
                    : bytes[offset + 1] == UInt8(ascii: "u")
                        ? "four hexadecimal digits" : "an escape: one of `\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u`"
            case .malformed(.endOfLine): "the end of the file"
            case .malformed(.number): "a digit"
            default: "a value"
            }
        if case .malformed(.number) = error.reason { offset = bytes.withUnsafeBytes { JSONNumber.scan($0, from: offset).end } }
        return failure(at: offset, word(at: offset), expected)
    }

    /// Whether nothing but white space stands between the brace of an object and an offset.
    private func isBehindBrace(_ offset: Int) -> Bool {
        bytes[..<offset].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }

    /// Where the text begins that the end of the file cuts off: `line 3, column 14`.
    private var startOfOpenText: String {
        let offset = bytes.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            while let quote = JSONBytes.first(UInt8(ascii: "\""), in: bytes, from: cursor.offset) {
                cursor.offset = quote
                if (try? cursor.text()) == nil { return quote }
            }
            return bytes.count
        }
        let place = place(of: offset)
        return "line \(place.line), column \(place.column)"
    }

    private func word(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end of the file" }
        let text = String(decoding: bytes[offset..<min(bytes.count, offset + 128)], as: UTF8.self)
        let word = text.prefix { !$0.isWhitespace && !",:{}[]".contains($0) }.prefix(24)
        return Self.quoted(String(word.isEmpty ? text.prefix(1) : word))
    }

    /// A number as people write it: without `.0`.
    package static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

    /// A text between backticks; control and format characters are escaped, and a long text is cut.
    package static func quoted(_ text: String) -> String {
        let shown = text.prefix(60).unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return "`\(shown.joined())\(text.count > 60 ? "…" : "")`"
    }

    package static func quoted(_ texts: [String]) -> String { texts.map { quoted($0) }.joined(separator: ", ") }
}
