package import Basics
package import Funnels

/// Reports for programs: fixed keys in a fixed order, units in the keys' names, rates from 0 to 1, `null` where there is no number.
///
/// A single result is the whole document. Several stand in `{"schema":1,"title":…,"matters":[…],"reports":[…]}`, each report as
/// `{"kind":…,"title":…,"result":{…}}` with the result as it would be alone.
public struct JSONReport: ReportFormat {
    public init() {}

    public var name: String { "json" }
    public var fileExtensions: [String] { ["json"] }

    /// The document's version. A key is never removed or retyped within one.
    private static let schema = 1

    public func bytes(of document: ReportDocument) -> [UInt8] {
        guard let title = document.title else { return document.results.flatMap { Array($0.text(in: self).utf8) } }
        let reports = JSONRows(document.results) { result in
            let section = result.section
            return ["kind": section.kind, "title": section.title, "result": WrittenJSON(result.text(in: self))]
        }
        let matters = JSONRows(ReportMatter.all(of: document.results.map(\.section))) { $0.json }
        return Array(self.document(["title": title], ["matters": matters], ["reports": reports]).utf8)
    }

    /// An object that begins with the document's version; a line that is `nil` is left out.
    func document(beside version: JSONObject = [:], _ lines: JSONObject?...) -> String { document(beside: version, lines) }

    func document(beside version: JSONObject = [:], _ lines: [JSONObject?]) -> String {
        Self.line(JSONObjectLines([["schema": Self.schema] + version] + lines))
    }

    static func line(_ object: some JSONWritable) -> String {
        var writer = JSONWriter(escaping: TerminalText.acts)
        object.write(to: &writer)
        writer.endLine()
        return writer.text
    }
}

extension ReportValue: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .data(let text), .words(let text): writer.string(text)
        case .count(let number), .bytes(let number): writer.integer(number)
        case .share(let number), .points(let number), .probability(let number), .number(let number), .duration(let number):
            number.write(to: &writer)
        case .nanoseconds(let number): number.write(to: &writer)
        case .moment(let milliseconds): milliseconds.map { DateFormat.iso($0) }.write(to: &writer)
        case .flag(let flag): writer.bool(flag)
        case .none: writer.null()
        }
    }
}

extension JSONRows {
    /// The rows of a table, under the keys of its columns: of all, or of some in their order.
    init(_ table: ReportTable, _ keys: [String]? = nil) {
        let columns = (keys ?? table.columns.map(\.key)).compactMap { key in table.columns.firstIndex { $0.key == key } }
        self.init(table.rows) { row in JSONObject(columns.map { (table.columns[$0].key, row[$0]) }) }
    }
}

extension Distribution: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        JSONObject([("n", n), ("mean", mean), ("p50", p50), ("p90", p90), ("p99", p99)]).write(to: &writer)
    }
}

extension ConfidenceInterval: JSONWritable { package func write(to writer: inout JSONWriter) { [lower, upper].write(to: &writer) } }
