import Basics
public import EventFiles
import TrackingEvents

extension CheckResult: Reportable {
    public var section: ReportSection {
        let files = ReportTable(
            "Files", of: self.files,
            [
                .init("File", "path") { .data($0.read.path) }, .init("Framing", "framing") { .words($0.read.framing.rawValue) },
                .init("Open", "open", for: .page) { .flag($0.read.isOpen) }, .init("Size", "bytes", for: .page) { .bytes($0.read.bytes) },
                .init("Members", "members") { .count($0.read.members) }, .init("Lines", "lines") { .count($0.read.lines) },
                .init("Bad lines", "bad_lines") { .count($0.badLines) },
                .init("Damaged", "damaged_members") { .count($0.read.damagedMembers) },
                .init("Duplicates", "duplicates") { .count($0.duplicates) },
                .init("Missing", "missing_sequences") { .count($0.missingSequences) },
                .init("Clock steps", "clock_steps") { .count($0.clockSteps) },
            ])
        let tables = [files] + [faultTable, places, gaps, unread, lastTable].filter { !$0.rows.isEmpty }
        return ReportSection(
            kind: "check", title: "Check",
            highlights: [
                ReportFact("Verdict", .words(isSound ? "sound" : "not sound"), isAlarm: !isSound),
                ReportFact("Files", .count(self.files.count)), ReportFact("Lines", .count(lines)), ReportFact("Sessions", .count(sessions)),
            ], makeRecords: { files }, makeFigures: { tables.map { ReportFigure(title: $0.caption, table: $0) } }, quality: totals)
    }

    private var totals: [ReportFact] {
        [
            ReportFact("Size", .bytes(bytes)), ReportFact("Members", .count(members)), ReportFact("Events", .count(events)),
            ReportFact("Meta lines", .count(metaLines)), ReportFact("Timing lines", .count(timingLines)),
            .fault("Dropped by the writer", droppedEvents), .fault("Removed before they were taken", removedEvents),
            .fault("Missing by sequence", missingSequences), ReportFact("Sessions that begin before these files", .count(earlierSessions)),
            ReportFact("Missing before these files", .count(earlierSequences)), ReportFact("Clock steps back", .count(clockSteps)),
            ReportFact("Largest clock step", .duration(clockSteps == 0 ? nil : Double(largestClockStep))),
        ]
    }

    private var faultTable: ReportTable {
        ReportTable(
            "Faults", of: faults,
            [
                .init("Fault", "fault") { .words($0.words.many.prefix(1).uppercased() + $0.words.many.dropFirst()) },
                .init("Count", "count") { .count(count(of: $0)) },
            ])
    }

    /// Damage and bad lines by file and byte; if they are many, only the first.
    private var places: ReportTable {
        let rows = files.flatMap { file -> [[ReportValue]] in
            let path = ReportValue.data(file.read.path)
            return file.read.damage.prefix(Self.exampleLimit).map { [path, .count($0.byteOffset), .none, .data($0.message)] }
                + file.firstBadLines.map { [path, .count($0.byteOffset), .count($0.lineNumber), .data($0.problem.description)] }
        }
        return ReportTable(
            "Places, up to \(Self.exampleLimit) of a kind for each file",
            columns: [
                .init(title: "File", key: "path"), .init(title: "Byte", key: "byte_offset"), .init(title: "Line", key: "line"),
                .init(title: "What is there", key: "message"),
            ], rows: rows)
    }

    private var gaps: ReportTable {
        ReportTable(
            "Sequence numbers that are missing", of: firstGaps,
            [
                .init("Session", "session") { .data($0.session) }, .init("From", "first_missing") { .count($0.firstMissing) },
                .init("To", "last_missing") { .count($0.lastMissing) }, .init("Explained", "explained") { .flag($0.isExplained) },
                .init("Before a line of", "file") { .data(files.indices.contains($0.file) ? files[$0.file].read.path : nil) },
            ])
    }

    private var unread: ReportTable {
        ReportTable(
            "Files that were not read", columns: [.init(title: "File", key: "path"), .init(title: "Why", key: "reason")],
            rows: leftOut.map { path in
                [.data(path), .words(path.hasSuffix(".ring") ? "an unreadable ring or a copy of one" : "its content is in another file")]
            }
                + gone.map { [.data($0), .words("removed before it could be read")] }
                + unnameable.map { [.data($0), .words("a name that is not UTF-8")] }
                + pending.map { waiting in
                    let files = "\(GroupedNumber.counted(waiting.files, "file")) (\(NumberFormat.bytes(waiting.bytes)))"
                    return [.data(waiting.path), .words("\(files) waiting for consent")]
                }
                + rings.map { ring in
                    let lines = GroupedNumber.counted(ring.lines, "line")
                    return [.data(ring.path), .words("\(lines) in the ring of a writer that is at work or was killed")]
                } + uselessSummaries.map { [.data($0.path), .data($0.reason)] })
    }

    private var lastTable: ReportTable {
        ReportTable(
            "The last file of each writer: what came after it cannot be proved", of: lastSegments,
            [
                .init("Writer", "writer") { .data($0.writer) }, .init("File", "path") { .data($0.path) },
                .init("Open", "open") { .flag($0.isOpen) },
            ])
    }

    /// More rows of faults than this would hide the verdict; the other formats have all.
    private static let mostRows = 40

    public func lines(in table: TableReport) -> [String] {
        let figures = section.figures
        var lines = table.lines(of: figures[0].table, none: "no files")
        for figure in figures.dropFirst() where figure.title != faultTable.caption {
            lines += ["", table.style.faint(figure.title)] + table.lines(of: figure.table, none: "", atMost: Self.mostRows)
        }
        if figures.count > 1 { lines.append("") }
        return lines + totals(table) + earlier + [verdict(table)]
    }

    private func totals(_ table: TableReport) -> [String] {
        let read = [GroupedNumber.counted(events, "event"), GroupedNumber.counted(metaLines, "meta line")]
        let largest = NumberFormat.duration(Double(largestClockStep))
        let rest = [
            "in \(GroupedNumber.counted(files.count, "file")) (\(NumberFormat.bytes(bytes)))", GroupedNumber.counted(sessions, "session"),
            droppedEvents > 0 ? "\(NumberFormat.count(droppedEvents)) dropped by the writer" : nil,
            removedEvents > 0 ? "\(NumberFormat.count(removedEvents)) of them removed before they were taken" : nil,
            missingSequences > 0 ? "\(NumberFormat.count(missingSequences)) missing by sequence" : nil,
            clockSteps > 0 ? "\(GroupedNumber.counted(clockSteps, "clock step")) back, the largest \(largest)" : nil,
        ]
        let lines = (GroupedNumber.counted(timingLines, "timing line"), " ")
        return table.style.flow(read.map { ($0 + ",", " ") } + [lines] + table.style.list(rest.compactMap(\.self)))
    }

    /// What began before these files; nothing if every session begins with 1.
    private var earlier: [String] {
        if earlierSessions == 0 { return [] }
        let sessions = GroupedNumber.counted(earlierSessions, "session begins", "sessions begin")
        let explained = earlierSequences - unexplainedEarlierSequences
        let reason = explained == 0 ? "" : ", \(NumberFormat.count(explained)) of them explained by dropped lines"
        return ["\(sessions) before these files, by \(GroupedNumber.counted(earlierSequences, "number"))\(reason)"]
    }

    private func verdict(_ table: TableReport) -> String {
        if isSound { return table.style.bold("sound") }
        var faults = faults.map { GroupedNumber.counted(count(of: $0), $0.words.one, $0.words.many) }
        if !unnameable.isEmpty {
            faults.append(GroupedNumber.counted(unnameable.count, "name that is not UTF-8", "names that are not UTF-8"))
        }
        return table.style.red("not sound: " + (faults.isEmpty ? "no file could be read" : faults.joined(separator: ", ")))
    }

    public func text(in json: JSONReport) -> String {
        let faults = Fault.allCases.filter { $0 != .missingBeginning || isCompleteAsked }
        let totals: JSONObject = [
            "files": files.count, "bytes": bytes, "members": members, "lines": lines, "events": events, "meta_lines": metaLines,
            "timing_lines": timingLines, "sessions": sessions, "dropped_events": droppedEvents, "removed_events": removedEvents,
            "missing_sequences": missingSequences, "earlier_sessions": earlierSessions, "earlier_sequences": earlierSequences,
            "unexplained_earlier_sequences": unexplainedEarlierSequences, "clock_steps": clockSteps,
            "largest_clock_step_ms": largestClockStep,
        ]
        return json.document(
            ["sound": isSound, "faults": JSONObject(faults.map { ($0.words.key, count(of: $0)) })],
            [
                "files": JSONRows(files) { file in
                    let read = file.read
                    return [
                        "path": read.path, "framing": read.framing.rawValue, "open": read.isOpen, "end_member": read.hasEndMember,
                        "bytes": read.bytes, "members": read.members, "lines": read.lines, "bad_lines": file.badLines,
                        "damaged_members": read.damagedMembers, "duplicates": file.duplicates,
                        "missing_sequences": file.missingSequences, "clock_steps": file.clockSteps,
                    ] + .faults(read.damage, file.firstBadLines)
                }
            ], ["left_out": leftOut], ["gone": gone, "unnameable": unnameable],
            ["pending": pending.map { ["path": $0.path, "files": $0.files, "bytes": $0.bytes] as JSONObject }],
            ["rings": rings.map { ["path": $0.path, "lines": $0.lines] as JSONObject }], ["last_segments": JSONRows(lastTable)],
            ["summaries": summaries], ["useless_summaries": uselessSummaries.map { ["path": $0.path, "reason": $0.reason] as JSONObject }],
            ["gaps": JSONRows(gaps)], ["totals": totals])
    }
}

extension CheckResult.Fault {
    fileprivate var words: (one: String, many: String, key: String) {
        switch self {
        case .damagedMember: ("damaged member", "damaged members", "damaged_members")
        case .foreignBytes: ("run of bytes outside of members", "runs of bytes outside of members", "foreign_bytes")
        case .missingEndMember: ("file without its end", "files without their end", "missing_end_members")
        case .badLine: ("bad line", "bad lines", "bad_lines")
        case .duplicateID: ("duplicate", "duplicates", "duplicates")
        case .unexplainedGap: ("missing by sequence and not explained", "missing by sequence and not explained", "unexplained_sequences")
        case .missingBeginning:
            ("missing before these files and not explained", "missing before these files and not explained", "missing_beginnings")
        }
    }
}
