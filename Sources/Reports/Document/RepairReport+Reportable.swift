public import EventFiles

extension RepairReport: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

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
}

extension RepairReport.File.Outcome {
    var words: String {
        switch self {
        case .repaired: "repaired"
        case .untouched: "untouched"
        case .nothingSaved: "nothing saved"
        case .empty: "empty"
        }
    }
}
