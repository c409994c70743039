internal import TrackingEvents

/// Writes the JSON of OTLP: 64-bit numbers as texts, enumerations as numbers, ids in hexadecimal (OTLP specification, "JSON Protobuf Encoding").
struct OTLPWriter {
    private let bytes = ByteBuffer(capacity: 4096)
    private var needsComma = false

    var text: String { bytes.text }

    mutating func key(_ key: StaticString) {
        separate()
        bytes.append("\"")
        bytes.append(key)
        bytes.append("\":")
        needsComma = false
    }

    mutating func object(_ members: (inout OTLPWriter) -> Void) { nested("{", "}", members) }

    mutating func array<Element>(_ elements: some Sequence<Element>, _ write: (inout OTLPWriter, Element) -> Void) {
        nested("[", "]") { json in for element in elements { write(&json, element) } }
    }

    mutating func string(_ text: String) { value { JSONText.append(text, to: $0) } }

    mutating func bool(_ truth: Bool) { value { truth ? $0.append("true") : $0.append("false") } }

    mutating func int(_ number: Int64) { value { JSONText.append(number, to: $0) } }

    /// A number that JSON has no type for becomes nothing; the loop's are finite.
    mutating func double(_ number: Double) { value { number.isFinite ? JSONText.append(number, to: $0) : $0.append("0.0") } }

    /// As text: JSON's numbers hold no 64 bits for certain.
    mutating func wide(_ number: UInt64) { string(String(number)) }

    /// The library that made it.
    mutating func scope() {
        key("scope")
        object { json in
            json.key("name")
            json.string("looptrail")
        }
    }

    mutating func endLine() { bytes.append("\n") }

    private mutating func value(_ write: (ByteBuffer) -> Void) {
        separate()
        write(bytes)
        needsComma = true
    }

    private mutating func nested(_ open: StaticString, _ close: StaticString, _ inside: (inout OTLPWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        inside(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(",") }
        needsComma = false
    }
}
