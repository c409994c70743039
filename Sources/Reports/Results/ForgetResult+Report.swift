import Basics
public import EventFiles

extension ForgetResult: Reportable {
    public var section: ReportSection {
        let table = ReportTable(
            "Files",
            columns: [
                .init("File", key: "path"), .init("Lines of the person", key: "lines"), .init("Outcome", key: "outcome"),
                .init("Replaced by", key: "replaced_by"), .init("Reason", key: "reason"),
            ],
            rows: files.map { file in
                [
                    .data(file.path), .count(file.lines), .words(file.outcome.word), file.outcome.replacement.map { .data($0) } ?? .none,
                    file.outcome.refusal.map { .words($0.advice) } ?? .none,
                ]
            })
        return ReportSection(
            kind: "forget", title: "Forget",
            highlights: [
                ReportFact("Verdict", .words(isComplete ? "done" : "not all could be done")),
                ReportFact("Lines removed", .count(removedLines)), ReportFact("Files", .count(files.count)),
            ],
            records: table, figures: [ReportFigure("Files", table: table)],
            definition: [
                ReportFact("Anonymous ids joined", .count(ids.aliases.count)),
                ReportFact("Unreadable files removed", .count(quarantined.count)),
            ], quality: [])
    }

    public func lines(in table: TableReport) -> [String] {
        let rows = files.map { file in
            [
                table.shown(path: file.path, atMost: 80), table.number(file.lines), file.outcome.word,
                file.outcome.replacement.map { table.shown($0) } ?? "",
            ]
        }
        var lines = table.columns(["file", "lines", "outcome", "replaced by"], rows, rightAligned: [1], cutsStart: true)
        if rows.isEmpty { lines = ["no lines of \(ids.ids.map { table.shown($0) }.joined(separator: ", "))"] }
        for path in quarantined { lines.append("removed \(table.shown(path: path, atMost: 200)): nobody can tell whose bytes they were") }
        for file in files {
            guard let refusal = file.outcome.refusal else { continue }
            lines.append(table.style.red("left as it is: \(table.shown(path: file.path, atMost: 200)): \(refusal.advice)"))
        }
        if !ids.aliases.isEmpty { lines.append("with \(ids.aliases.map { table.shown($0) }.joined(separator: ", "))") }
        lines.append("\(GroupedNumber.counted(removedLines, "line")) removed")
        lines.append("in databases that have loaded these files:")
        lines.append("  ClickHouse  \(table.shown(clickHouseSQL, atMost: .max))")
        lines.append("  DuckDB      \(table.shown(duckDBSQL, atMost: .max))")
        return lines
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.breakLine(" ")
            writer.member("complete", isComplete)
            writer.key("ids")
            writer.array(ids.ids) { $0.string($1) }
            writer.key("aliases")
            writer.array(ids.aliases) { $0.string($1) }
            writer.member("removed_lines", removedLines)
            writer.breakLine(" ")
            writer.key("files")
            writer.array(files, onePerLine: true) { writer, file in
                writer.object { writer in
                    writer.member("path", file.path)
                    writer.member("lines", file.lines)
                    writer.member("outcome", file.outcome.word)
                    writer.member("replaced_by", file.outcome.replacement)
                    writer.member("reason", file.outcome.refusal?.rawValue)
                }
            }
            writer.breakLine(" ")
            writer.key("quarantine_removed")
            writer.array(quarantined) { $0.string($1) }
            writer.breakLine(" ")
            writer.key("sql")
            writer.object { writer in
                writer.member("clickhouse", clickHouseSQL)
                writer.member("duckdb", duckDBSQL)
            }
        }
    }

    /// Removes the person from the table of `Dashboards/clickhouse/schema.sql`.
    public var clickHouseSQL: String {
        let all = list(escapingBackslashes: true)
        return "ALTER TABLE looptrail.events DELETE WHERE user IN (\(all))"
            + " OR (type = 'meta' AND name = 'identified' AND JSONExtractString(props, 'anonymous') IN (\(all)))"
    }

    /// Removes the person from a table of the files' columns that somebody has made; the macros of `Dashboards/duckdb` read the files themselves.
    public var duckDBSQL: String {
        let all = list(escapingBackslashes: false)
        return "DELETE FROM events WHERE \"user\" IN (\(all))"
            + " OR (type = 'meta' AND name = 'identified' AND props ->> '$.anonymous' IN (\(all)))"
    }

    private func list(escapingBackslashes: Bool) -> String {
        (ids.ids + ids.aliases).map { id in
            var text = ""
            for scalar in id.unicodeScalars {
                if scalar == "'" || escapingBackslashes && scalar == "\\" { text.unicodeScalars.append(scalar) }
                text.unicodeScalars.append(scalar)
            }
            return "'\(text)'"
        }.joined(separator: ", ")
    }
}

extension ForgetResult.Outcome {
    fileprivate var word: String {
        switch self {
        case .replaced: "replaced"
        case .emptied: "emptied"
        case .refused: "refused"
        }
    }

    fileprivate var replacement: String? { if case .replaced(let name) = self { name } else { nil } }
    fileprivate var refusal: ForgetResult.Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}
