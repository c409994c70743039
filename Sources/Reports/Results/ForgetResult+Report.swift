import Basics
public import EventFiles

extension ForgetResult: Reportable {
    public var section: ReportSection {
        let table = ReportTable(
            "Files", of: files,
            [
                .init("File", "path") { .data($0.path) }, .init("Lines of the person", "lines") { .count($0.lines) },
                .init("Outcome", "outcome") { .words($0.outcome.word) },
                .init("Replaced by", "replaced_by") { .data($0.outcome.replacement) },
                .init("Reason", "reason", for: .page) { .words($0.outcome.refusal?.advice) },
            ])
        return ReportSection(
            kind: "forget", title: "Forget",
            highlights: [
                ReportFact("Verdict", .words(isComplete ? "done" : "not all could be done")),
                ReportFact("Lines removed", .count(removedLines)), ReportFact("Files", .count(files.count)),
            ], makeRecords: { table }, makeFigures: { [ReportFigure(title: "Files", table: table)] },
            definition: [
                ReportFact("Anonymous ids joined", .count(ids.aliases.count)),
                ReportFact("Unreadable files removed", .count(quarantined.count)),
            ], quality: [])
    }

    public func lines(in table: TableReport) -> [String] {
        let none = "no lines of \(ids.ids.map { table.shown($0) }.joined(separator: ", "))"
        var lines = table.lines(of: section.records, none: none)
        lines += quarantined.map { "removed \(table.shown(path: $0, atMost: 200)): nobody can tell whose bytes they were" }
        lines += files.compactMap { file in
            file.outcome.refusal.map { table.style.red("left as it is: \(table.shown(path: file.path, atMost: 200)): \($0.advice)") }
        }
        if !ids.aliases.isEmpty { lines.append("with \(ids.aliases.map { table.shown($0) }.joined(separator: ", "))") }
        return lines + [
            "\(GroupedNumber.counted(removedLines, "line")) removed", "in databases that have loaded these files:",
            "  ClickHouse  \(table.shown(clickHouseSQL, atMost: .max))", "  DuckDB      \(table.shown(duckDBSQL, atMost: .max))",
        ]
    }

    public func text(in json: JSONReport) -> String {
        let files = JSONRows(files) { file in
            [
                "path": file.path, "lines": file.lines, "outcome": file.outcome.word, "replaced_by": file.outcome.replacement,
                "reason": file.outcome.refusal?.rawValue,
            ]
        }
        return json.document(
            ["complete": isComplete, "ids": ids.ids, "aliases": ids.aliases, "removed_lines": removedLines], ["files": files],
            ["quarantine_removed": quarantined], ["sql": ["clickhouse": clickHouseSQL, "duckdb": duckDBSQL] as JSONObject])
    }

    /// Removes the person from the table of `Dashboards/clickhouse/schema.sql`.
    public var clickHouseSQL: String {
        deletion("ALTER TABLE looptrail.events DELETE", "user", "JSONExtractString(props, 'anonymous')", escapingBackslashes: true)
    }

    /// Removes the person from a table made of the files' columns. The macros of `Dashboards/duckdb` have none: they read the files.
    public var duckDBSQL: String { deletion("DELETE FROM events", "\"user\"", "props ->> '$.anonymous'", escapingBackslashes: false) }

    private func deletion(_ head: String, _ user: String, _ anonymous: String, escapingBackslashes: Bool) -> String {
        let all = (ids.ids + ids.aliases).map { id in
            "'" + id.replacingScalars { $0 == "'" || escapingBackslashes && $0 == "\\" ? "\($0)\($0)" : nil } + "'"
        }.joined(separator: ", ")
        return "\(head) WHERE \(user) IN (\(all)) OR (type = 'meta' AND name = 'identified' AND \(anonymous) IN (\(all)))"
    }
}

extension ForgetResult.Outcome {
    fileprivate var word: String { refusal != nil ? "refused" : replacement != nil ? "replaced" : "emptied" }

    fileprivate var replacement: String? { if case .replaced(let name) = self { name } else { nil } }
    fileprivate var refusal: ForgetResult.Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}
