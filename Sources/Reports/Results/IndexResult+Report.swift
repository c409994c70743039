import Basics
public import EventFiles

extension IndexResult: Reportable {
    private var bytes: Int64 { files.reduce(0) { $0 + $1.bytes } }
    private var summaryBytes: Int64 { files.reduce(0) { $0 + $1.summaryBytes } }

    public var section: ReportSection {
        let table = ReportTable(
            "Files",
            columns: [
                .init("File", key: "path"), .init("Summary", key: "outcome"), .init("Reason", key: "reason"), .init("Rows", key: "rows"),
                .init("Bytes", key: "bytes"), .init("Bytes of the summary", key: "summary_bytes"),
            ],
            rows: files.map { file in
                [
                    .data(file.path), .words(file.outcome.word), file.outcome.reason.map { .data($0) } ?? .none, .count(file.rows),
                    .bytes(file.bytes), .bytes(file.summaryBytes),
                ]
            })
        return ReportSection(
            kind: "index", title: "Index",
            highlights: [
                ReportFact("Summaries made", .count(made)), ReportFact("Kept", .count(kept)),
                ReportFact("Files without one", .count(refused.count)),
            ],
            records: table, figures: [ReportFigure("Files", table: table)],
            quality: [ReportFact("Bytes of the files", .bytes(bytes)), ReportFact("Bytes of the summaries", .bytes(summaryBytes))])
    }

    public func lines(in table: TableReport) -> [String] {
        if files.isEmpty { return ["no files"] }
        let rows = files.map { file in
            [
                table.shown(path: file.path, atMost: 80), file.outcome.word, NumberFormat.count(Int64(file.rows)),
                NumberFormat.bytes(file.bytes), NumberFormat.bytes(file.summaryBytes),
            ]
        }
        var lines = table.columns(["file", "summary", "rows", "bytes", "summary bytes"], rows, rightAligned: Set(2...4), cutsStart: true)
        for file in files {
            guard let reason = file.outcome.reason else { continue }
            lines.append("\(table.shown(path: file.path, atMost: 200)): \(table.shown(path: reason, atMost: 200))")
        }
        var end = "\(GroupedNumber.counted(made, "summary", "summaries")) made, \(NumberFormat.count(Int64(kept))) kept"
        if !refused.isEmpty { end += ", \(GroupedNumber.counted(refused.count, "file")) without one" }
        return lines + [end]
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.breakLine(" ")
            writer.key("files")
            writer.array(files, onePerLine: true) { writer, file in
                writer.object { writer in
                    writer.member("path", file.path)
                    writer.member("outcome", file.outcome.word)
                    writer.member("reason", file.outcome.reason)
                    writer.member("rows", file.rows)
                    writer.member("bytes", file.bytes)
                    writer.member("summary_bytes", file.summaryBytes)
                }
            }
            writer.breakLine(" ")
            writer.key("totals")
            writer.object { writer in
                writer.member("made", made)
                writer.member("kept", kept)
                writer.member("without", refused.count)
                writer.member("bytes", bytes)
                writer.member("summary_bytes", summaryBytes)
            }
        }
    }
}

extension IndexResult.Outcome {
    fileprivate var word: String {
        switch self {
        case .made: "made"
        case .kept: "kept"
        case .refused: "none"
        }
    }

    /// Why there is no summary, for people.
    fileprivate var reason: String? {
        guard case .refused(let refusal) = self else { return nil }
        return switch refusal {
        case .notSealed: "only finished files of blocked gzip, named .ndjson.gz, have summaries"
        case .damaged: "the file is damaged; `looptrail repair` makes a sound one"
        case .notUTF8(let line): "line \(line) is not UTF-8; `looptrail repair` mends it"
        case .gone: "the file was removed meanwhile"
        case .busy: "another process is making it"
        case .cancelled: "stopped"
        case .failed(let message): message
        }
    }
}
