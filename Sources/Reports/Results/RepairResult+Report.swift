import Basics
public import EventFiles
import TrackingEvents

extension RepairResult: Reportable {
    public var section: ReportSection {
        let table = ReportTable(
            "Files",
            columns: [
                .init("File", key: "path"), .init("Outcome", key: "outcome"), .init("Output", key: "output", for: .page),
                .init("Original", key: "original", for: .page), .init("Saved", key: "saved_lines"),
                .init("Salvaged", key: "salvaged_lines"),
                .init("Mended", key: "mended_lines"), .init("Bad lines", key: "bad_lines"), .init("Duplicates", key: "duplicates"),
                .init("Damaged", key: "damaged_members"), .init("Missing", key: "missing_sequences"),
            ],
            rows: files.map { file in
                [
                    .data(file.read.path), .words(file.outcome.words), .data(file.output),
                    .data(file.original), .count(file.savedLines), .count(file.salvagedLines), .count(file.mendedLines),
                    .count(file.badLines), .count(file.duplicates), .count(file.read.damagedMembers), .count(file.missingSequences),
                ]
            })
        return ReportSection(
            kind: "repair", title: "Repair",
            highlights: [
                ReportFact("Verdict", .words(isSound ? "sound" : "not sound")), ReportFact("Files", .count(files.count)),
                ReportFact("Lines saved", .count(savedLines)), ReportFact("Bad lines", .count(badLines)),
            ], records: table, figures: [ReportFigure("Files", table: table)],
            quality: [
                ReportFact("Places of damage", .count(damagedPlaces)), ReportFact("Bytes not used", .bytes(unusableBytes)),
                ReportFact("Salvaged from cut members", .count(salvagedLines)), ReportFact("Mended", .count(mendedLines)),
                ReportFact("Duplicates", .count(duplicates)), ReportFact("Missing by sequence, owned up to", .count(missingSequences)),
            ])
    }

    public func lines(in table: TableReport) -> [String] {
        var lines = table.lines(of: section.records, none: "no files")
        for file in files {
            if let output = file.output, output != file.read.path { lines.append("written to \(table.shown(path: output, atMost: 200))") }
            if let original = file.original { lines.append("the damaged file is kept as \(table.shown(path: original, atMost: 200))") }
        }
        return lines + [verdict(table)]
    }

    private func verdict(_ table: TableReport) -> String {
        if files.isEmpty { return "nothing to repair" }
        if isSound { return table.style.bold("sound") }
        var faults: [String] = []
        let unsaved = files.count { $0.outcome == .nothingSaved }
        if unsaved > 0 { faults.append("\(GroupedNumber.counted(unsaved, "file")) of which nothing could be saved") }
        if unsaved == 0 && check == nil { faults.append("nothing to make a file of") }
        if let missing = check?.unexplainedSequences, missing > 0 {
            faults.append("\(NumberFormat.count(missing)) missing by sequence in files that nothing damaged")
        }
        return table.style.red((["not sound"] + (faults.isEmpty ? [] : [faults.joined(separator: ", ")])).joined(separator: ": "))
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.line(["sound": isSound])
            writer.array("files", files, onePerLine: true) { write($1, to: &$0) }
            let totals: JSONObject = [
                "files": files.count, "saved_lines": savedLines, "salvaged_lines": salvagedLines, "mended_lines": mendedLines,
                "bad_lines": badLines, "duplicates": duplicates, "damaged_places": damagedPlaces, "unusable_bytes": unusableBytes,
                "missing_sequences": missingSequences,
                // Gaps in files that nothing damaged: no repair explains them.
                "unexplained_sequences": check?.unexplainedSequences ?? 0,
            ]
            writer.line(["totals": totals])
        }
    }

    private func write(_ file: File, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.fields([
                "path": file.read.path, "outcome": file.outcome.rawValue, "output": file.output, "original": file.original,
                "framing": file.read.framing.rawValue, "bytes": file.read.bytes, "output_bytes": file.outputBytes,
                "lines": file.read.lines, "saved_lines": file.savedLines, "salvaged_lines": file.salvagedLines,
                "mended_lines": file.mendedLines, "bad_lines": file.badLines, "duplicates": file.duplicates,
                "damaged_members": file.read.damagedMembers, "missing_sequences": file.missingSequences,
            ])
            writer.faults(file.read.damage, file.firstBadLines)
        }
    }
}

extension RepairResult.File.Outcome {
    var words: String {
        switch self {
        case .repaired: "repaired"
        case .untouched: "untouched"
        case .nothingSaved: "nothing saved"
        case .empty: "empty"
        }
    }
}
