import Basics

/// The text of a plan's file: finds lines and columns, and quotes what stands at a place.
struct PlanText {
    /// The largest file, in bytes.
    static let maxBytes = 1 << 20

    let bytes: [UInt8]
    /// Where the text begins: behind a byte order mark, if there is one.
    let start: Int

    init(_ bytes: [UInt8]) throws(PlanError) {
        self.bytes = bytes
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if bytes.count > Self.maxBytes {
            throw PlanError(at: PlanError.Place(line: 1, column: 1), found: "\(bytes.count) bytes", expected: "at most \(Self.maxBytes)")
        }
        if let invalid = Self.firstInvalid(in: bytes) {
            throw PlanError(at: place(of: invalid), found: "a byte that is not UTF-8", expected: "UTF-8")
        }
    }

    private static func firstInvalid(in bytes: [UInt8]) -> Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): offset += scalar.count
            case .error: return offset
            case .emptyInput: return nil
            }
        }
    }

    func place(of offset: Int) -> PlanError.Place {
        let place = TextPlace(ofByte: offset, in: bytes)
        return PlanError.Place(line: place.line, column: place.column)
    }

    /// What stands at a place, in the words of an error.
    func word(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end of the file" }
        let text = String(decoding: bytes[offset..<min(bytes.count, offset + 128)], as: UTF8.self)
        let word = text.prefix { !$0.isWhitespace && !",:{}[]".contains($0) }.prefix(24)
        return Self.quoted(String(word.isEmpty ? text.prefix(1) : word))
    }

    /// A number as people write it: without `.0`.
    static func number(_ value: Double) -> String {
        value == value.rounded() && value.magnitude <= 9_007_199_254_740_992 ? String(Int64(value)) : "\(value)"
    }

    /// A text between backticks; control characters are escaped and a long text is cut.
    static func quoted(_ text: String) -> String {
        let shown = text.prefix(60).unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return "`\(shown.joined())\(text.count > 60 ? "…" : "")`"
    }
}
