import Basics

/// One JSON object a line (JSON Lines, NDJSON): the rows and names of the CSV, typed as in JSON.
///
/// Numbers are numbers and `null` stands where there is none; a time is an ISO 8601 text in UTC. Of several results, each row begins with
/// its result's `kind` and title (`report`) and has its result's columns only. A column of the same name gets the kind in front: `why_kind`.
public struct JSONLinesReport: ReportFormat {
    public init() {}

    public var name: String { "jsonl" }
    /// None: a file that is named so would be read as events.
    public var fileExtensions: [String] { [] }

    public func write(_ document: ReportDocument, to sink: inout ReportSink) {
        for section in document.results.map(\.section) {
            for row in section.records.rows {
                var writer = JSONWriter(escaping: TerminalText.acts)
                let isShared = document.title != nil
                writer.object { writer in
                    if isShared { writer.fields(["kind": section.kind, "report": section.title]) }
                    for (column, value) in zip(section.records.columns, row) {
                        let isTaken = isShared && ["kind", "report"].contains(column.key)
                        writer.key(named: isTaken ? "\(section.kind)_\(column.key)" : column.key)
                        value.write(to: &writer)
                    }
                }
                writer.endLine()
                sink.write(writer.text)
            }
        }
    }
}

extension ReportValue: JSONValue {
    func write(to writer: inout JSONWriter) {
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
