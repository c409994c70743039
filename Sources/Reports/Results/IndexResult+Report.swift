import Basics
public import EventFiles

extension IndexResult: Reportable {
    private var bytes: Int64 { files.reduce(0) { $0 + $1.bytes } }
    private var summaryBytes: Int64 { files.reduce(0) { $0 + $1.summaryBytes } }

    private var table: ReportTable {
        ReportTable(
            "Files", of: files,
            [
                .init("File", "path") { .data($0.path) }, .init("Summary", "outcome") { .words($0.outcome.word) },
                .init("Reason", "reason", for: .page) { .data($0.outcome.reason) }, .init("Rows", "rows") { .count($0.rows) },
                .init("Bytes", "bytes") { .bytes($0.bytes) }, .init("Bytes of the summary", "summary_bytes") { .bytes($0.summaryBytes) },
            ])
    }

    public var section: ReportSection {
        ReportSection(
            kind: "index", title: "Index",
            highlights: [
                ReportFact("Summaries made", .count(made)), ReportFact("Kept", .count(kept)),
                ReportFact("Files without one", .count(refused.count)),
            ], makeRecords: { table }, makeFigures: { [ReportFigure(title: "Files", table: table)] },
            quality: [ReportFact("Bytes of the files", .bytes(bytes)), ReportFact("Bytes of the summaries", .bytes(summaryBytes))])
    }

    public func lines(in table: TableReport) -> [String] {
        var lines = table.lines(of: self.table, none: "no files")
        lines += files.compactMap { file in
            file.outcome.reason.map { "\(table.shown(path: file.path, atMost: 200)): \(table.shown(path: $0, atMost: 200))" }
        }
        if files.isEmpty { return lines }
        let without = refused.isEmpty ? "" : ", \(GroupedNumber.counted(refused.count, "file")) without one"
        return lines + ["\(GroupedNumber.counted(made, "summary", "summaries")) made, \(NumberFormat.count(kept)) kept\(without)"]
    }

    public func text(in json: JSONReport) -> String {
        let totals: JSONObject = ["made": made, "kept": kept, "without": refused.count, "bytes": bytes, "summary_bytes": summaryBytes]
        return json.document(["files": JSONRows(table)], ["totals": totals])
    }
}

extension IndexResult.Outcome {
    fileprivate var word: String { self == .made ? "made" : self == .kept ? "kept" : "none" }

    fileprivate var reason: String? {
        guard case .refused(let refusal) = self else { return nil }
        return switch refusal {
        case .notSealed: "only finished files of blocked gzip, named .ndjson.gz, have summaries"
        case .damaged: "the file is damaged; `looptrail repair` makes a sound one"
        case .notUTF8(let line): "line \(line) is not UTF-8; `looptrail repair` mends it"
        case .link: "it is a link; give the file that it leads to"
        case .gone: "the file was removed meanwhile"
        case .busy: "another process is making it"
        case .cancelled: "stopped"
        case .failed(let message): message
        }
    }
}
