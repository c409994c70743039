/// Writes JSON piece by piece: fields and elements in the order of the calls, with the commas between them.
///
/// In an object the caller writes a key, then its value, then the next key. Nothing checks this.
package struct JSONWriter {
    private let bytes: ByteBuffer
    private let escapes: ((Unicode.Scalar) -> Bool)?
    private var needsComma = false

    /// - Parameters:
    ///   - capacity: bytes that are reserved at the beginning.
    ///   - escapes: which scalars ``string(_:)`` writes as `\u` escapes though JSON does not demand it; `nil` for none.
    package init(capacity: Int = 1024, escaping escapes: ((Unicode.Scalar) -> Bool)? = nil) {
        bytes = ByteBuffer(capacity: capacity)
        self.escapes = escapes
    }

    /// Appends to what a buffer holds.
    package init(to bytes: ByteBuffer) { (self.bytes, escapes) = (bytes, nil) }

    package var text: String { bytes.text }

    /// The text of one object as a document of its own, without a line feed at its end.
    package static func line(_ members: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object(members)
        return json.text
    }

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        open("{")
        members(&self)
        close("}")
    }

    package mutating func array<Elements: Sequence>(
        _ elements: Elements, onePerLine: Bool = false, _ element: (inout JSONWriter, Elements.Element) -> Void
    ) {
        open("[")
        var isFirst = true
        for value in elements {
            if onePerLine && !isFirst { breakLine("   ") }
            isFirst = false
            element(&self, value)
        }
        close("]")
    }

    /// - Parameter key: needs no escaping.
    package mutating func key(_ key: StaticString) {
        separate()
        bytes.append("\"")
        bytes.append(key)
        bytes.append("\":")
    }

    /// A key that is made from data, and is escaped.
    package mutating func key(named name: String) {
        string(name)
        bytes.append(":")
        needsComma = false
    }

    /// A line break before the next field or element, and some blanks.
    package mutating func breakLine(_ indent: StaticString) {
        separate()
        bytes.append("\n")
        bytes.append(indent)
    }

    /// The line feed after the outermost value.
    package func endLine() { bytes.append("\n") }

    private mutating func open(_ bracket: StaticString) {
        separate()
        bytes.append(bracket)
    }

    private mutating func close(_ bracket: StaticString) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(",") }
        needsComma = false
    }

    /// Lets `write` append one whole value.
    package mutating func value(_ write: (ByteBuffer) -> Void) {
        separate()
        write(bytes)
        needsComma = true
    }

    package mutating func null() { value { $0.append("null") } }

    package mutating func bool(_ truth: Bool) { value { truth ? $0.append("true") : $0.append("false") } }

    package mutating func integer(_ number: Int64) { value { JSONText.append(number, to: $0) } }

    /// The shortest digits that read back equal, whole numbers below 2⁵³ without `.0`; `null` for what is not finite.
    package mutating func number(_ number: Double) {
        guard number.isFinite else { return null() }
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return integer(whole) }
        value { JSONText.append(number, to: $0) }
    }

    package mutating func string(_ text: String) {
        guard let escapes, text.unicodeScalars.contains(where: escapes) else { return value { JSONText.append(text, to: $0) } }
        value { bytes in
            bytes.append("\"")
            for scalar in text.unicodeScalars {
                if escapes(scalar) || scalar.value < 0x20 {
                    for unit in String(scalar).utf16 {
                        bytes.append("\\u")
                        bytes.append(Hexadecimal.text(UInt64(unit), digits: 4).utf8)
                    }
                } else {
                    if scalar == "\"" || scalar == "\\" { bytes.append(UInt8(ascii: "\\")) }
                    bytes.append(String(scalar).utf8)
                }
            }
            bytes.append("\"")
        }
    }

    /// Appends a text that is one whole value in JSON already. If it ends with a line feed, that is left out.
    package mutating func raw(_ json: String) { value { $0.append((json.last == "\n" ? json.dropLast() : json[...]).utf8) } }

    package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    package mutating func array<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements, onePerLine: Bool = false, _ element: (inout JSONWriter, Elements.Element) -> Void
    ) {
        key(name)
        array(elements, onePerLine: onePerLine, element)
    }

    package mutating func member(_ name: StaticString, _ value: some JSONWritable) {
        key(name)
        value.write(to: &self)
    }
}
