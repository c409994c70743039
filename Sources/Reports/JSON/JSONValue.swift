import Basics
import Funnels

/// What can stand as a value in a JSON report.
protocol JSONValue {
    func write(to writer: inout JSONWriter)
}

/// An object, its fields in the order given.
struct JSONObject: JSONValue, ExpressibleByDictionaryLiteral {
    fileprivate let fields: [(String, any JSONValue)]

    init(_ fields: [(String, any JSONValue)]) { self.fields = fields }

    init(dictionaryLiteral fields: (String, any JSONValue)...) { self.init(fields) }

    /// The fields of both.
    static func + (first: JSONObject, second: JSONObject) -> JSONObject { JSONObject(first.fields + second.fields) }

    static func += (first: inout JSONObject, second: JSONObject) { first = first + second }

    func write(to writer: inout JSONWriter) { JSONObjectLines([self]).write(to: &writer) }
}

/// An object whose fields stand on several lines.
struct JSONObjectLines: JSONValue {
    private let lines: [JSONObject]

    /// - Parameter lines: the first stands behind the brace; `nil` is no line.
    init(_ lines: [JSONObject?]) { self.lines = lines.compactMap(\.self) }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (index, line) in lines.enumerated() {
                if index > 0 { writer.breakLine(" ") }
                for (name, value) in line.fields {
                    writer.key(named: name)
                    value.write(to: &writer)
                }
            }
        }
    }
}

/// An array with each element on a line of its own.
struct JSONRows: JSONValue {
    private let rows: [any JSONValue]

    init(_ rows: [any JSONValue]) { self.rows = rows }

    init<Element>(_ elements: some Sequence<Element>, _ row: (Element) -> JSONObject) { self.init(elements.map(row)) }

    /// The rows of a table, under the keys of its columns.
    init(_ table: ReportTable) { self.init(table.rows) { JSONObject(Array(zip(table.columns.map(\.key), $0))) } }

    func write(to writer: inout JSONWriter) { writer.array(rows, onePerLine: true) { $1.write(to: &$0) } }
}

/// JSON already.
struct WrittenJSON: JSONValue {
    let text: String

    func write(to writer: inout JSONWriter) { writer.raw(text) }
}

extension String: JSONValue {
    func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension JSONValue where Self: BinaryInteger {
    func write(to writer: inout JSONWriter) { writer.integer(Int64(clamping: self)) }
}

extension Int: JSONValue {}
extension Int64: JSONValue {}
extension UInt64: JSONValue {}

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
        JSONObject([("n", n), ("mean", mean), ("p50", p50), ("p90", p90), ("p99", p99)]).write(to: &writer)
    }
}

/// `[low, high]`
extension ConfidenceInterval: JSONValue {
    func write(to writer: inout JSONWriter) { [lower, upper].write(to: &writer) }
}
