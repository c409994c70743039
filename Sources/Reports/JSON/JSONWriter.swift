import TrackingEvents

/// Writes JSON as it comes: members in the order they are given, commas by itself.
///
/// What could act on a terminal is escaped in texts, so that a report may be shown where it was not meant to be.
struct JSONWriter {
    private var frame = JSONFrame(capacity: 1024)

    var text: String { frame.text }

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        frame.open("{")
        members(&self)
        frame.close("}")
    }

    mutating func array<Elements: Sequence>(
        _ elements: Elements, onePerLine: Bool = false, _ element: (inout JSONWriter, Elements.Element) -> Void
    ) {
        frame.open("[")
        var isFirst = true
        for value in elements {
            if onePerLine && !isFirst { breakLine("   ") }
            isFirst = false
            element(&self, value)
        }
        frame.close("]")
    }

    mutating func key(_ key: StaticString) { frame.key(key) }

    mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        value.map { string($0) } ?? null()
    }

    mutating func member(_ name: StaticString, _ value: Int64?) {
        key(name)
        value.map { integer($0) } ?? null()
    }

    mutating func member(_ name: StaticString, _ value: Int) { member(name, Int64(value)) }

    mutating func member(_ name: StaticString, _ value: Double?) {
        key(name)
        value.map { number($0) } ?? null()
    }

    mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        frame.value { value ? $0.append("true") : $0.append("false") }
    }

    mutating func null() { frame.value { $0.append("null") } }

    mutating func integer(_ value: Int64) { frame.value { JSONText.append(value, to: $0) } }

    /// The shortest digits that read back equal, without `.0`; what is no number becomes `null`.
    mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return integer(whole) }
        frame.value { JSONText.append(value, to: $0) }
    }

    mutating func string(_ value: String) {
        frame.value { bytes in
            guard value.unicodeScalars.contains(where: TerminalText.acts) else { return JSONText.append(value, to: bytes) }
            bytes.append("\"")
            for scalar in value.unicodeScalars { Self.append(scalar, to: bytes) }
            bytes.append("\"")
        }
    }

    /// A whole value that is JSON already, without the line feed at its end.
    mutating func raw(_ json: String) {
        frame.value { $0.append((json.last == "\n" ? json.dropLast() : json[...]).utf8) }
    }

    /// A line break before the next member or element, and some blanks.
    mutating func breakLine(_ indent: StaticString) { frame.breakLine(indent) }

    func endDocument() { frame.endLine() }

    private static func append(_ scalar: Unicode.Scalar, to bytes: ByteBuffer) {
        guard TerminalText.acts(scalar) else {
            if scalar == "\"" || scalar == "\\" { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(Array(String(scalar).utf8))
            return
        }
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            bytes.append(Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8))
        }
    }
}
