/// What can stand as a value in JSON.
package protocol JSONWritable { func write(to writer: inout JSONWriter) }

/// An object, its fields in the order given.
package struct JSONObject: JSONWritable, ExpressibleByDictionaryLiteral {
    fileprivate let fields: [(String, any JSONWritable)]

    package init(_ fields: [(String, any JSONWritable)]) { self.fields = fields }

    package init(dictionaryLiteral fields: (String, any JSONWritable)...) { self.init(fields) }

    package static func + (first: JSONObject, second: JSONObject) -> JSONObject { JSONObject(first.fields + second.fields) }

    package static func += (first: inout JSONObject, second: JSONObject) { first = first + second }

    package func write(to writer: inout JSONWriter) { JSONObjectLines([self]).write(to: &writer) }
}

/// An object whose fields stand on several lines.
package struct JSONObjectLines: JSONWritable {
    private let lines: [JSONObject]

    /// - Parameter lines: the first follows the brace on its line; `nil` stands for no line.
    package init(_ lines: [JSONObject?]) { self.lines = lines.compactMap(\.self) }

    package func write(to writer: inout JSONWriter) {
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
package struct JSONRows: JSONWritable {
    private let rows: [any JSONWritable]

    package init(_ rows: [any JSONWritable]) { self.rows = rows }

    package init<Element>(_ elements: some Sequence<Element>, _ row: (Element) -> JSONObject) { self.init(elements.map(row)) }

    package func write(to writer: inout JSONWriter) { writer.array(rows, onePerLine: true) { $1.write(to: &$0) } }
}

/// A text that is JSON already.
package struct WrittenJSON: JSONWritable {
    private let text: String

    package init(_ text: String) { self.text = text }

    package func write(to writer: inout JSONWriter) { writer.raw(text) }
}

extension String: JSONWritable { package func write(to writer: inout JSONWriter) { writer.string(self) } }

/// What does not fit 64 bits with a sign is clamped.
extension JSONWritable where Self: BinaryInteger {
    package func write(to writer: inout JSONWriter) { writer.integer(Int64(clamping: self)) }
}

extension Int: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt64: JSONWritable {}

extension Double: JSONWritable { package func write(to writer: inout JSONWriter) { writer.number(self) } }

extension Bool: JSONWritable { package func write(to writer: inout JSONWriter) { writer.bool(self) } }

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) { if let self { self.write(to: &writer) } else { writer.null() } }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.array(self) { $1.write(to: &$0) } }
}
