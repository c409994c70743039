import Basics
public import EventFiles

extension RepairResult: Reportable {
    public var section: ReportSection {
        let table = ReportTable(
            "Files", of: files,
            [
                .init("File", "path") { .data($0.read.path) },
                .init("Outcome", "outcome") { .words($0.outcome.rawValue.replacing("_", with: " ")) },
                .init("Output", "output", for: .page) { .data($0.output) },
                .init("Original", "original", for: .page) { .data($0.original) },
                .init("Saved", "saved_lines") { .count($0.savedLines) }, .init("Salvaged", "salvaged_lines") { .count($0.salvagedLines) },
                .init("Mended", "mended_lines") { .count($0.mendedLines) }, .init("Bad lines", "bad_lines") { .count($0.badLines) },
                .init("Duplicates", "duplicates") { .count($0.duplicates) },
                .init("Damaged", "damaged_members") { .count($0.read.damagedMembers) },
                .init("Missing", "missing_sequences") { .count($0.missingSequences) },
            ])
        return ReportSection(
            kind: "repair", title: "Repair",
            highlights: [
                ReportFact("Verdict", .words(isSound ? "sound" : "not sound")), ReportFact("Files", .count(files.count)),
                ReportFact("Lines saved", .count(savedLines)), ReportFact("Bad lines", .count(badLines)),
            ], makeRecords: { table }, makeFigures: { [ReportFigure(title: "Files", table: table)] },
            quality: [
                ReportFact("Places of damage", .count(damagedPlaces)), ReportFact("Bytes not used", .bytes(unusableBytes)),
                ReportFact("Salvaged from cut members", .count(salvagedLines)), ReportFact("Mended", .count(mendedLines)),
                ReportFact("Duplicates", .count(duplicates)), ReportFact("Missing by sequence, reported", .count(missingSequences)),
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
        let (unsaved, missing) = (files.count { $0.outcome == .nothingSaved }, check?.unexplainedSequences ?? 0)
        let faults = [
            unsaved > 0 ? "\(GroupedNumber.counted(unsaved, "file")) of which nothing could be saved" : nil,
            files.contains { $0.refusal != nil } ? "files that were left as they were" : nil,
            unsaved == 0 && check == nil ? "nothing to make a file of" : nil,
            missing > 0 ? "\(NumberFormat.count(missing)) missing by sequence in files that nothing damaged" : nil,
        ].compactMap(\.self)
        return table.style.red(faults.isEmpty ? "not sound" : "not sound: \(faults.joined(separator: ", "))")
    }

    public func text(in json: JSONReport) -> String {
        let files = JSONRows(files) { file in
            [
                "path": file.read.path, "outcome": file.outcome.rawValue, "output": file.output, "original": file.original,
                "framing": file.read.framing.rawValue, "bytes": file.read.bytes, "output_bytes": file.outputBytes,
                "lines": file.read.lines, "saved_lines": file.savedLines, "salvaged_lines": file.salvagedLines,
                "mended_lines": file.mendedLines, "bad_lines": file.badLines, "duplicates": file.duplicates,
                "damaged_members": file.read.damagedMembers, "missing_sequences": file.missingSequences,
            ] + .faults(file.read.damage, file.firstBadLines)
        }
        let totals: JSONObject = [
            "files": self.files.count, "saved_lines": savedLines, "salvaged_lines": salvagedLines, "mended_lines": mendedLines,
            "bad_lines": badLines, "duplicates": duplicates, "damaged_places": damagedPlaces, "unusable_bytes": unusableBytes,
            "missing_sequences": missingSequences,
            // Gaps in files that nothing damaged: no repair explains them.
            "unexplained_sequences": check?.unexplainedSequences ?? 0,
        ]
        return json.document(["sound": isSound, "files": files], ["totals": totals])
    }
}
