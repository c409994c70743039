internal import TrackingEvents

/// Writes the JSON of OTLP: 64-bit numbers as texts, enumerations as numbers, ids in hexadecimal (OTLP specification, "JSON Protobuf Encoding").
struct OTLPWriter {
    private var frame = JSONFrame(capacity: 4096)

    var text: String { frame.text }

    mutating func key(_ key: StaticString) { frame.key(key) }

    mutating func object(_ members: (inout OTLPWriter) -> Void) {
        frame.open("{")
        members(&self)
        frame.close("}")
    }

    mutating func array<Element>(_ elements: some Sequence<Element>, _ write: (inout OTLPWriter, Element) -> Void) {
        frame.open("[")
        for element in elements { write(&self, element) }
        frame.close("]")
    }

    mutating func string(_ text: String) { frame.value { JSONText.append(text, to: $0) } }

    mutating func bool(_ truth: Bool) { frame.value { truth ? $0.append("true") : $0.append("false") } }

    mutating func int(_ number: Int64) { frame.value { JSONText.append(number, to: $0) } }

    /// A number that JSON has no type for becomes nothing; the loop's are finite.
    mutating func double(_ number: Double) { frame.value { number.isFinite ? JSONText.append(number, to: $0) : $0.append("0.0") } }

    /// As text: JSON's numbers hold no 64 bits for certain.
    mutating func wide(_ number: UInt64) { string(String(number)) }

    func endLine() { frame.endLine() }
}
