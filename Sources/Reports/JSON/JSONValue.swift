import Basics
import Funnels

/// What can stand as a value in a JSON report.
protocol JSONValue {
    func write(to writer: inout JSONWriter)
}

/// An object, its fields in the order given.
struct JSONObject: JSONValue, ExpressibleByDictionaryLiteral {
    private let fields: [(StaticString, any JSONValue)]

    init(dictionaryLiteral fields: (StaticString, any JSONValue)...) { self.fields = fields }

    private init(fields: [(StaticString, any JSONValue)]) { self.fields = fields }

    /// The fields of both.
    static func + (first: JSONObject, second: JSONObject) -> JSONObject { JSONObject(fields: first.fields + second.fields) }

    func write(to writer: inout JSONWriter) { writer.object(writeFields) }

    /// The fields without the braces.
    func writeFields(to writer: inout JSONWriter) {
        for (name, value) in fields {
            writer.key(name)
            value.write(to: &writer)
        }
    }
}

/// An array with each element on a line of its own.
struct JSONRows: JSONValue {
    private let rows: [JSONObject]

    init<Element>(_ elements: some Sequence<Element>, _ row: (Element) -> JSONObject) { rows = elements.map(row) }

    func write(to writer: inout JSONWriter) { writer.array(rows, onePerLine: true) { $1.write(to: &$0) } }
}

extension JSONWriter {
    /// Fields of the object that is being written.
    mutating func fields(_ fields: JSONObject) { fields.writeFields(to: &self) }

    /// The same on a line of their own.
    mutating func line(_ fields: JSONObject) { line { $0.fields(fields) } }

    /// The fields that `fields` writes, on a line of their own.
    mutating func line(_ fields: (inout JSONWriter) -> Void) {
        breakLine(" ")
        fields(&self)
    }
}

extension String: JSONValue {
    func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Int: JSONValue {
    func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
}

extension Int64: JSONValue {
    func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension UInt64: JSONValue {
    func write(to writer: inout JSONWriter) { writer.integer(Int64(clamping: self)) }
}

extension Double: JSONValue {
    func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension Bool: JSONValue {
    func write(to writer: inout JSONWriter) { writer.bool(self) }
}

/// `null` where there is none.
extension Optional: JSONValue where Wrapped: JSONValue {
    func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}

extension Array: JSONValue where Element: JSONValue {
    func write(to writer: inout JSONWriter) { writer.array(self) { $1.write(to: &$0) } }
}

extension Distribution: JSONValue {
    func write(to writer: inout JSONWriter) {
        JSONObject(dictionaryLiteral: ("n", n), ("mean", mean), ("p50", p50), ("p90", p90), ("p99", p99)).write(to: &writer)
    }
}

/// `[low, high]`
extension ConfidenceInterval: JSONValue {
    func write(to writer: inout JSONWriter) { [lower, upper].write(to: &writer) }
}
