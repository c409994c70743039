public import EventFiles
import TrackingEvents

extension CheckReport: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

    public var section: ReportSection {
        let files = ReportTable(
            "Files",
            columns: [
                .init("File", key: "path"), .init("Framing", key: "framing"), .init("Open", key: "open"), .init("Size", key: "bytes"),
                .init("Members", key: "members"), .init("Lines", key: "lines"), .init("Bad lines", key: "bad_lines"),
                .init("Damaged", key: "damaged_members"), .init("Duplicates", key: "duplicates"),
                .init("Missing", key: "missing_sequences"), .init("Clock steps", key: "clock_steps"),
            ],
            rows: self.files.map { file in
                [
                    .data(file.read.path), .words(file.read.framing.rawValue), .flag(file.read.isOpen), .bytes(file.read.bytes),
                    .count(file.read.members), .count(file.read.lines), .count(file.badLines), .count(file.read.damagedMembers),
                    .count(file.duplicates), .count(file.missingSequences), .count(file.clockSteps),
                ]
            })
        var figures = [ReportFigure("Files", table: files)]
        for table in [faultTable, places, gaps, unread] where !table.rows.isEmpty {
            figures.append(ReportFigure(table.caption, table: table))
        }
        return ReportSection(
            kind: "check", title: "Check",
            highlights: [
                ReportFact("Verdict", .words(isSound ? "sound" : "not sound"), isAlarm: !isSound),
                ReportFact("Files", .count(self.files.count)),
                ReportFact("Lines", .count(lines)), ReportFact("Sessions", .count(sessions)),
            ],
            records: files, figures: figures, quality: totals)
    }

    private var totals: [ReportFact] {
        [
            ReportFact("Size", .bytes(bytes)), ReportFact("Members", .count(members)), ReportFact("Events", .count(events)),
            ReportFact("Meta lines", .count(metaLines)), ReportFact("Timing lines", .count(timingLines)),
            .fault("Dropped by the writer", droppedEvents), .fault("Missing by sequence", missingSequences),
            ReportFact("Clock steps back", .count(clockSteps)),
            ReportFact("Largest clock step", .duration(clockSteps == 0 ? nil : Double(largestClockStep))),
        ]
    }

    private var faultTable: ReportTable {
        ReportTable(
            "Faults", columns: [.init("Fault", key: "fault"), .init("Count", key: "count")],
            rows: faults.map { [.words(Self.name(of: $0)), .count(count(of: $0))] })
    }

    /// Where files are damaged and which lines cannot be used, as far as places are kept.
    private var places: ReportTable {
        var rows: [[ReportValue]] = []
        for file in files {
            for damage in file.read.damage.prefix(Self.exampleLimit) {
                rows.append([.data(file.read.path), .count(damage.byteOffset), .none, .data(damage.message)])
            }
            for bad in file.firstBadLines {
                rows.append([.data(file.read.path), .count(bad.byteOffset), .count(bad.lineNumber), .data(bad.problem.description)])
            }
        }
        return ReportTable(
            "Places, up to \(Self.exampleLimit) of a kind for each file",
            columns: [
                .init("File", key: "path"), .init("Byte", key: "byte_offset"), .init("Line", key: "line"),
                .init("What is there", key: "message"),
            ], rows: rows)
    }

    private var gaps: ReportTable {
        ReportTable(
            "Sequence numbers that are missing",
            columns: [
                .init("Session", key: "session"), .init("From", key: "first_missing"), .init("To", key: "last_missing"),
                .init("Explained", key: "explained"), .init("Before a line of", key: "file"),
            ],
            rows: firstGaps.map { gap in
                [
                    .data(gap.session), .count(gap.firstMissing), .count(gap.lastMissing), .flag(gap.isExplained),
                    files.indices.contains(gap.file) ? .data(files[gap.file].read.path) : .none,
                ]
            })
    }

    private var unread: ReportTable {
        ReportTable(
            "Files that were not read", columns: [.init("File", key: "path"), .init("Why", key: "reason")],
            rows: leftOut.map { [.data($0), .words("its content is in another file")] }
                + gone.map { [.data($0), .words("removed before it could be read")] })
    }

    private static func name(of fault: Fault) -> String {
        switch fault {
        case .damagedMember: "Damaged members"
        case .foreignBytes: "Runs of bytes outside of members"
        case .missingEndMember: "Files without their end"
        case .badLine: "Bad lines"
        case .duplicateID: "Duplicates"
        case .unexplainedGap: "Missing by sequence and not explained"
        }
    }
}
