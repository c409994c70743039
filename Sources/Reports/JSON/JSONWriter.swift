import TrackingEvents

/// Writes JSON as it comes: members in the order they are given, commas by itself.
///
/// What could act on a terminal is escaped in texts, so that a report may be shown where it was not meant to be.
struct JSONWriter {
    private let bytes = ByteBuffer(capacity: 1024)
    private var needsComma = false

    var text: String { bytes.text }

    mutating func object(_ members: (inout JSONWriter) -> Void) { nested("{", "}", members) }

    mutating func array<Elements: Sequence>(
        _ elements: Elements, onePerLine: Bool = false, _ element: (inout JSONWriter, Elements.Element) -> Void
    ) {
        nested("[", "]") { writer in
            var isFirst = true
            for value in elements {
                if onePerLine && !isFirst { writer.breakLine("   ") }
                isFirst = false
                element(&writer, value)
            }
        }
    }

    mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(key)
        bytes.append("\":")
        needsComma = false
    }

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
        value ? bytes.append("true") : bytes.append("false")
        needsComma = true
    }

    mutating func null() {
        separate()
        bytes.append("null")
        needsComma = true
    }

    mutating func integer(_ value: Int64) {
        separate()
        JSONText.append(value, to: bytes)
        needsComma = true
    }

    /// The shortest digits that read back equal, without `.0`; what is no number becomes `null`.
    mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return integer(whole) }
        separate()
        JSONText.append(value, to: bytes)
        needsComma = true
    }

    mutating func string(_ value: String) {
        separate()
        if value.unicodeScalars.contains(where: TerminalText.acts) {
            bytes.append(UInt8(ascii: "\""))
            for scalar in value.unicodeScalars { append(scalar) }
            bytes.append(UInt8(ascii: "\""))
        } else {
            JSONText.append(value, to: bytes)
        }
        needsComma = true
    }

    /// A whole value that is JSON already, without the line feed at its end.
    mutating func raw(_ json: String) {
        separate()
        bytes.append(Array((json.last == "\n" ? json.dropLast() : json[...]).utf8))
        needsComma = true
    }

    /// A line break before the next member or element, and some blanks.
    mutating func breakLine(_ indent: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
        bytes.append("\n")
        bytes.append(indent)
    }

    mutating func endDocument() { bytes.append("\n") }

    private func append(_ scalar: Unicode.Scalar) {
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

    private mutating func nested(_ open: StaticString, _ close: StaticString, _ inside: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        inside(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }
}
