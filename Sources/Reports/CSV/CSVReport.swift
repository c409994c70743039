/// Rows for spreadsheets: a heading, then one row a record, fields as RFC 4180 has them.
///
/// Numbers are written for programs: shares from 0 to 1, durations in milliseconds (a loop's in nanoseconds), times as ISO 8601 in UTC, an empty field where
/// there is none. Several results share one heading; the first two columns then say whose a row is, and a column that a result does not have
/// is empty.
public struct CSVReport: ReportFormat {
    public init() {}

    public var name: String { "csv" }
    public var fileExtensions: [String] { ["csv"] }

    public func write(_ document: ReportDocument, to sink: inout ReportSink) {
        let sections = document.results.map(\.section)
        guard document.title != nil else { return sections.forEach { write($0.records, to: &sink) } }
        var keys: [String] = []
        for column in sections.flatMap(\.records.columns) where !keys.contains(column.key) { keys.append(column.key) }
        var lines = [["kind", "report"] + keys]
        for section in sections {
            let indices = keys.map { key in section.records.columns.firstIndex { $0.key == key } }
            for row in section.records.rows {
                lines.append([section.kind, CSVText.data(section.title)] + indices.map { $0.map { field(row[$0]) } ?? "" })
            }
        }
        write(lines, to: &sink)
    }

    private func write(_ table: ReportTable, to sink: inout ReportSink) {
        write([table.columns.map(\.key)] + table.rows.map { $0.map(field) }, to: &sink)
    }

    private func write(_ lines: [[String]], to sink: inout ReportSink) {
        for line in lines { sink.write(line.joined(separator: ",") + "\r\n") }
    }

    private func field(_ value: ReportValue) -> String {
        switch value {
        case .data(let text): CSVText.data(text)
        case .words(let text): CSVText.field(text)
        case .count(let number), .bytes(let number): String(number)
        case .share(let number), .points(let number), .probability(let number), .number(let number), .duration(let number):
            number.map { plain($0) } ?? ""
        case .nanoseconds(let number): String(number)
        case .moment(let milliseconds): milliseconds.map { DateFormat.iso($0) } ?? ""
        case .flag(let flag): flag ? "true" : "false"
        case .none: ""
        }
    }

    /// The shortest digits that read back equal, without `.0`.
    private func plain(_ number: Double) -> String {
        guard number.isFinite else { return "" }
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
        return number.description
    }
}
