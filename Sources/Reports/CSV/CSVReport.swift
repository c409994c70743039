/// Rows for spreadsheets: a heading, then one row a record, fields as RFC 4180 has them.
///
/// Numbers are written for programs: shares from 0 to 1, durations in milliseconds (timings in nanoseconds), times as ISO 8601 in UTC, an
/// empty field where there is none. Several results share one heading, and a column that a result lacks is empty. Two columns in front,
/// `kind` and `report`, then name the result of each row; for a column of the same name see ``JSONLinesReport``.
public struct CSVReport: ReportFormat {
    public init() {}

    public var name: String { "csv" }
    public var fileExtensions: [String] { ["csv"] }

    public func bytes(of document: ReportDocument) -> [UInt8] {
        let parts = document.results.map(\.section).map { (section: $0, records: $0.records) }
        guard document.title != nil else {
            return parts.map(\.records).flatMap { bytes(of: [$0.columns.map(\.key)] + $0.rows.map { $0.map(field) }) }
        }
        var keys: [String] = []
        let allKeys = parts.map { $0.sharedKeys(of: $1) }
        for key in allKeys.joined() where !keys.contains(key) { keys.append(key) }
        var lines = [["kind", "report"] + keys]
        for ((section, records), ownKeys) in zip(parts, allKeys) {
            let indices = keys.map { ownKeys.firstIndex(of: $0) }
            for row in records.rows {
                lines.append([section.kind, CSVText.data(section.title)] + indices.map { $0.map { field(row[$0]) } ?? "" })
            }
        }
        return bytes(of: lines)
    }

    private func bytes(of lines: [[String]]) -> [UInt8] { lines.flatMap { Array(($0.joined(separator: ",") + "\r\n").utf8) } }

    private func field(_ value: ReportValue) -> String {
        switch value {
        case .data(let text): CSVText.data(text)
        case .words(let text): CSVText.field(text)
        case .count(let number), .bytes(let number): String(number)
        case .share(let number), .points(let number), .probability(let number), .number(let number), .duration(let number):
            number.map(NumberFormat.plain) ?? ""
        case .nanoseconds(let number): String(number)
        case .moment(let milliseconds): milliseconds.map { DateFormat.iso($0) } ?? ""
        case .flag(let flag): flag ? "true" : "false"
        case .none: ""
        }
    }
}
