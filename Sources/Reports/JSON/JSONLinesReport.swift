import Basics

/// One JSON object a line (JSON Lines, NDJSON), with the rows and names of the CSV.
///
/// Numbers are numbers and `null` stands where there is none; a time is an ISO 8601 text in UTC. Of several results, each row begins with
/// its result's `kind` and title (`report`), and has only that result's columns. Columns of these names get the kind in front: `why_kind`.
public struct JSONLinesReport: ReportFormat {
    public init() {}

    public var name: String { "jsonl" }
    /// None: a file that ends with `.jsonl` would be read as events.
    public var fileExtensions: [String] { [] }

    public func bytes(of document: ReportDocument) -> [UInt8] {
        let isTitled = document.title != nil
        return document.results.map(\.section).flatMap { section in
            let records = section.records
            let keys = isTitled ? section.sharedKeys(of: records) : records.columns.map(\.key)
            let head: JSONObject = isTitled ? ["kind": section.kind, "report": section.title] : [:]
            return records.rows.flatMap { Array(JSONReport.line(head + JSONObject(Array(zip(keys, $0)))).utf8) }
        }
    }
}
