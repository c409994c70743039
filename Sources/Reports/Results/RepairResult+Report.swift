import Basics
public import EventFiles
import TrackingEvents

extension RepairResult: Reportable {
    public var section: ReportSection {
        let table = ReportTable(
            "Files",
            columns: [
                .init("File", key: "path"), .init("Outcome", key: "outcome"), .init("Output", key: "output"),
                .init("Original", key: "original"), .init("Saved", key: "saved_lines"), .init("Salvaged", key: "salvaged_lines"),
                .init("Mended", key: "mended_lines"), .init("Bad lines", key: "bad_lines"), .init("Duplicates", key: "duplicates"),
                .init("Damaged", key: "damaged_members"), .init("Missing", key: "missing_sequences"),
            ],
            rows: files.map { file in
                [
                    .data(file.read.path), .words(file.outcome.words), file.output.map { .data($0) } ?? .none,
                    file.original.map { .data($0) } ?? .none, .count(file.savedLines), .count(file.salvagedLines), .count(file.mendedLines),
                    .count(file.badLines), .count(file.duplicates), .count(file.read.damagedMembers), .count(file.missingSequences),
                ]
            })
        return ReportSection(
            kind: "repair", title: "Repair",
            highlights: [
                ReportFact("Verdict", .words(isSound ? "sound" : "not sound")), ReportFact("Files", .count(files.count)),
                ReportFact("Lines saved", .count(savedLines)), ReportFact("Bad lines", .count(badLines)),
            ],
            records: table, figures: [ReportFigure("Files", table: table)],
            quality: [
                ReportFact("Places of damage", .count(damagedPlaces)), ReportFact("Bytes not used", .bytes(unusableBytes)),
                ReportFact("Salvaged from cut members", .count(salvagedLines)), ReportFact("Mended", .count(mendedLines)),
                ReportFact("Duplicates", .count(duplicates)), ReportFact("Missing by sequence, owned up to", .count(missingSequences)),
            ])
    }

    public func lines(in table: TableReport) -> [String] {
        let rows = files.map { file in
            [
                table.shown(path: file.output ?? file.read.path, atMost: 80), file.outcome.words, table.number(file.savedLines),
                table.number(file.salvagedLines),
                table.number(file.badLines), table.number(file.read.damagedMembers), table.number(file.duplicates),
                NumberFormat.count(file.missingSequences),
            ]
        }
        var lines = table.columns(
            ["file", "outcome", "saved", "salvaged", "bad", "damaged", "duplicates", "missing"], rows, rightAligned: Set(2...7),
            cutsStart: true)
        if rows.isEmpty { lines = ["no files"] }
        for file in files {
            if let original = file.original { lines.append("the damaged file is kept as \(table.shown(path: original, atMost: 200))") }
        }
        lines.append(verdict(table))
        return lines
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
            writer.breakLine(" ")
            writer.member("sound", isSound)
            writer.key("files")
            writer.array(files, onePerLine: true) { write($1, to: &$0) }
            writer.breakLine(" ")
            writer.key("totals")
            writer.object { writer in
                writer.member("files", files.count)
                writer.member("saved_lines", savedLines)
                writer.member("salvaged_lines", salvagedLines)
                writer.member("mended_lines", mendedLines)
                writer.member("bad_lines", badLines)
                writer.member("duplicates", duplicates)
                writer.member("damaged_places", damagedPlaces)
                writer.member("unusable_bytes", unusableBytes)
                writer.member("missing_sequences", missingSequences)
                // Gaps in files that nothing damaged: no repair explains them.
                writer.member("unexplained_sequences", check?.unexplainedSequences ?? 0)
            }
        }
    }

    private func write(_ file: File, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", file.read.path)
            writer.member("outcome", file.outcome.rawValue)
            writer.member("output", file.output)
            writer.member("original", file.original)
            writer.member("framing", file.read.framing.rawValue)
            writer.member("bytes", file.read.bytes)
            writer.member("output_bytes", file.outputBytes)
            writer.member("lines", file.read.lines)
            writer.member("saved_lines", file.savedLines)
            writer.member("salvaged_lines", file.salvagedLines)
            writer.member("mended_lines", file.mendedLines)
            writer.member("bad_lines", file.badLines)
            writer.member("duplicates", file.duplicates)
            writer.member("damaged_members", file.read.damagedMembers)
            writer.member("missing_sequences", file.missingSequences)
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
