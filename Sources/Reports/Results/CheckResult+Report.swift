import Basics
public import EventFiles
import TrackingEvents

extension CheckResult: Reportable {
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
        for table in [faultTable, places, gaps, unread, lastTable] where !table.rows.isEmpty {
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
            .fault("Dropped by the writer", droppedEvents), .fault("Removed before they were taken", removedEvents),
            .fault("Missing by sequence", missingSequences), ReportFact("Sessions that begin before these files", .count(earlierSessions)),
            ReportFact("Missing before these files", .count(earlierSequences)),
            ReportFact("Clock steps back", .count(clockSteps)),
            ReportFact("Largest clock step", .duration(clockSteps == 0 ? nil : Double(largestClockStep))),
        ]
    }

    private var faultTable: ReportTable {
        ReportTable(
            "Faults", columns: [.init("Fault", key: "fault"), .init("Count", key: "count")],
            rows: faults.map { [.words($0.words.many.prefix(1).uppercased() + $0.words.many.dropFirst()), .count(count(of: $0))] })
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
                    path(of: gap).map(ReportValue.data) ?? .none,
                ]
            })
    }

    private var unread: ReportTable {
        ReportTable(
            "Files that were not read", columns: [.init("File", key: "path"), .init("Why", key: "reason")],
            rows: leftOut.map { [.data($0), .words("its content is in another file")] }
                + gone.map { [.data($0), .words("removed before it could be read")] }
                + unnameable.map { [.data($0), .words("a name that is not UTF-8")] }
                + pending.map { [.data($0.path), .words(words(of: $0))] }
                + rings.map { [.data($0.path), .words(words(of: $0))] }
                + uselessSummaries.map { [.data($0.path), .data($0.reason)] })
    }

    private var lastTable: ReportTable {
        ReportTable(
            "The last file of each writer: what came after it cannot be proved",
            columns: [.init("Writer", key: "writer"), .init("File", key: "path"), .init("Open", key: "open")],
            rows: lastSegments.map { [.data($0.writer), .data($0.path), .flag($0.isOpen)] })
    }

    private func words(of pending: Pending) -> String {
        "\(GroupedNumber.counted(pending.files, "file")) (\(NumberFormat.bytes(pending.bytes))) waiting for consent"
    }

    private func words(of ring: Ring) -> String {
        "\(GroupedNumber.counted(ring.lines, "line")) in the ring of a writer that is at work or was killed"
    }

    /// The most places of one kind that are shown for a file; the rest is counted.
    private static let mostPlaces = 20

    public func lines(in table: TableReport) -> [String] {
        let rows = files.map { file in
            [
                table.shown(path: file.read.path, atMost: 80), file.read.framing.rawValue, table.number(file.read.members),
                table.number(file.read.lines),
                table.number(file.badLines), table.number(file.read.damagedMembers), table.number(file.duplicates),
                NumberFormat.count(file.missingSequences), table.number(file.clockSteps),
            ]
        }
        var lines = table.columns(
            ["file", "framing", "members", "lines", "bad", "damaged", "duplicates", "missing", "clock steps"], rows,
            rightAligned: Set(2...8), cutsStart: true)
        if rows.isEmpty { lines = ["no files"] }
        for file in files { lines += places(in: file, table) }
        lines += firstGaps.map { line(of: $0, table) }
        for path in leftOut { lines.append("left out, its content is in another file: \(table.shown(path: path, atMost: 200))") }
        for path in unnameable { lines.append("a name that is not UTF-8, rename it: \(table.shown(path: path, atMost: 200))") }
        for path in gone { lines.append("removed before it could be read: \(table.shown(path: path, atMost: 200))") }
        for waiting in pending { lines.append("\(words(of: waiting)): \(table.shown(path: waiting.path, atMost: 200))") }
        for ring in rings { lines.append("\(words(of: ring)): \(table.shown(path: ring.path, atMost: 200))") }
        for summary in uselessSummaries {
            lines.append("\(table.shown(path: summary.path, atMost: 200)) is not used: \(table.shown(path: summary.reason, atMost: 200))")
        }
        lines += totals(table)
        lines += earlier(table)
        for last in lastSegments.prefix(Self.mostPlaces) {
            lines.append("the last file of \(table.shown(last.writer)): \(table.shown(path: last.path, atMost: 200))")
        }
        if lastSegments.count > Self.mostPlaces {
            lines.append("and the last files of \(table.number(lastSegments.count - Self.mostPlaces)) more writers")
        }
        lines.append(verdict(table))
        return lines
    }

    /// Where a file is damaged and which lines cannot be used.
    private func places(in file: File, _ table: TableReport) -> [String] {
        var lines = file.read.damage.prefix(Self.mostPlaces).map {
            "  byte \(NumberFormat.count($0.byteOffset)): \(table.shown($0.message, atMost: 200))"
        }
        // Long lines stand among the damage.
        let damaged = file.read.damagedMembers + file.read.longLines
        if damaged > lines.count {
            lines.append("  and \(GroupedNumber.counted(damaged - lines.count, "more place", "more places")) of damage")
        }
        lines += file.firstBadLines.prefix(Self.mostPlaces).map { bad in
            "  line \(table.number(bad.lineNumber)), at byte \(NumberFormat.count(bad.byteOffset)): \(table.shown(bad.problem.description, atMost: 200))"
        }
        let badLines = file.badLines - file.read.longLines
        let shownBad = min(file.firstBadLines.count, Self.mostPlaces)
        if badLines > shownBad { lines.append("  and \(GroupedNumber.counted(badLines - shownBad, "more bad line"))") }
        return lines.isEmpty ? [] : [table.shown(path: file.read.path, atMost: 200)] + lines
    }

    private func line(of gap: Gap, _ table: TableReport) -> String {
        let numbers =
            gap.firstMissing == gap.lastMissing ? "\(gap.firstMissing)" : "\(gap.firstMissing)\(table.style.dash)\(gap.lastMissing)"
        let place = path(of: gap).map { ", before a line of \(table.shown(path: $0, atMost: 120))" } ?? ""
        let reason = gap.isExplained ? "explained by a dropped line" : "unexplained"
        return "session \(table.shown(gap.session)): \(numbers) missing, \(reason)\(place)"
    }

    /// The file that holds the line behind a gap.
    private func path(of gap: Gap) -> String? { files.indices.contains(gap.file) ? files[gap.file].read.path : nil }

    private func totals(_ table: TableReport) -> [String] {
        var pieces: [(text: String, gap: String)] = [
            ("\(GroupedNumber.counted(events, "event")),", ""), ("\(GroupedNumber.counted(metaLines, "meta line")),", " "),
            ("\(GroupedNumber.counted(timingLines, "timing line"))", " "),
            ("in \(GroupedNumber.counted(files.count, "file")) (\(NumberFormat.bytes(bytes))),", " "),
            ("\(GroupedNumber.counted(sessions, "session"))", " "),
        ]
        func add(_ text: String) {
            pieces[pieces.count - 1].text += ","
            pieces.append((text, " "))
        }
        if droppedEvents > 0 { add("\(NumberFormat.count(droppedEvents)) dropped by the writer") }
        if removedEvents > 0 { add("\(NumberFormat.count(removedEvents)) of them removed before they were taken") }
        if missingSequences > 0 { add("\(NumberFormat.count(missingSequences)) missing by sequence") }
        if clockSteps > 0 {
            add(
                "\(GroupedNumber.counted(clockSteps, "clock step")) back, the largest \(NumberFormat.duration(Double(largestClockStep)))"
            )
        }
        return table.style.flow(pieces)
    }

    /// What began before these files; nothing if every session begins with 1.
    private func earlier(_ table: TableReport) -> [String] {
        if earlierSessions == 0 { return [] }
        let sessions =
            earlierSessions == 1 ? "1 session begins" : "\(GroupedNumber.counted(earlierSessions, "session")) begin"
        let explained = earlierSequences - unexplainedEarlierSequences
        let reason = explained == 0 ? "" : ", \(NumberFormat.count(explained)) of them explained by dropped lines"
        return [
            "\(sessions) before these files, by \(NumberFormat.count(earlierSequences)) \(earlierSequences == 1 ? "number" : "numbers")\(reason)"
        ]
    }

    private func verdict(_ table: TableReport) -> String {
        if isSound { return table.style.bold("sound") }
        var faults = faults.map { fault in
            let count = count(of: fault)
            return "\(NumberFormat.count(count)) \(count == 1 ? fault.words.one : fault.words.many)"
        }
        if !unnameable.isEmpty {
            faults.append(GroupedNumber.counted(unnameable.count, "name that is not UTF-8", "names that are not UTF-8"))
        }
        return table.style.red("not sound: " + faults.joined(separator: ", "))
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.breakLine(" ")
            writer.member("sound", isSound)
            writer.key("faults")
            writer.object { writer in
                for fault in Fault.allCases where fault != .missingBeginning || isCompleteAsked {
                    writer.member(fault.words.key, count(of: fault))
                }
            }
            writer.breakLine(" ")
            writer.key("files")
            writer.array(files, onePerLine: true) { write($1, to: &$0) }
            writer.breakLine(" ")
            writer.key("left_out")
            writer.array(leftOut) { $0.string($1) }
            writer.breakLine(" ")
            writer.key("gone")
            writer.array(gone) { $0.string($1) }
            writer.key("unnameable")
            writer.array(unnameable) { $0.string($1) }
            writer.breakLine(" ")
            writer.key("pending")
            writer.array(pending) { writer, waiting in
                writer.object { writer in
                    writer.member("path", waiting.path)
                    writer.member("files", waiting.files)
                    writer.member("bytes", waiting.bytes)
                }
            }
            writer.breakLine(" ")
            writer.key("rings")
            writer.array(rings) { writer, ring in
                writer.object { writer in
                    writer.member("path", ring.path)
                    writer.member("lines", ring.lines)
                }
            }
            writer.breakLine(" ")
            writer.key("last_segments")
            writer.array(lastSegments, onePerLine: true) { writer, last in
                writer.object { writer in
                    writer.member("writer", last.writer)
                    writer.member("path", last.path)
                    writer.member("open", last.isOpen)
                }
            }
            writer.breakLine(" ")
            writer.member("summaries", summaries)
            writer.breakLine(" ")
            writer.key("useless_summaries")
            writer.array(uselessSummaries) { writer, summary in
                writer.object { writer in
                    writer.member("path", summary.path)
                    writer.member("reason", summary.reason)
                }
            }
            writer.breakLine(" ")
            writer.key("gaps")
            writer.array(firstGaps, onePerLine: true) { writer, gap in
                writer.object { writer in
                    writer.member("session", gap.session)
                    writer.member("first_missing", gap.firstMissing)
                    writer.member("last_missing", gap.lastMissing)
                    writer.member("explained", gap.isExplained)
                    writer.member("file", path(of: gap))
                }
            }
            writer.breakLine(" ")
            writeTotals(to: &writer)
        }
    }

    private func writeTotals(to writer: inout JSONWriter) {
        writer.key("totals")
        writer.object { writer in
            writer.member("files", files.count)
            writer.member("bytes", bytes)
            writer.member("members", members)
            writer.member("lines", lines)
            writer.member("events", events)
            writer.member("meta_lines", metaLines)
            writer.member("timing_lines", timingLines)
            writer.member("sessions", sessions)
            writer.member("dropped_events", droppedEvents)
            writer.member("removed_events", removedEvents)
            writer.member("missing_sequences", missingSequences)
            writer.member("earlier_sessions", earlierSessions)
            writer.member("earlier_sequences", earlierSequences)
            writer.member("unexplained_earlier_sequences", unexplainedEarlierSequences)
            writer.member("clock_steps", clockSteps)
            writer.member("largest_clock_step_ms", largestClockStep)
        }
    }

    private func write(_ file: File, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", file.read.path)
            writer.member("framing", file.read.framing.rawValue)
            writer.member("open", file.read.isOpen)
            writer.member("end_member", file.read.hasEndMember)
            writer.member("bytes", file.read.bytes)
            writer.member("members", file.read.members)
            writer.member("lines", file.read.lines)
            writer.member("bad_lines", file.badLines)
            writer.member("damaged_members", file.read.damagedMembers)
            writer.member("duplicates", file.duplicates)
            writer.member("missing_sequences", file.missingSequences)
            writer.member("clock_steps", file.clockSteps)
            writer.faults(file.read.damage, file.firstBadLines)
        }
    }
}

extension CheckResult.Fault {
    /// What a fault is called, and its key in JSON.
    fileprivate var words: (one: String, many: String, key: StaticString) {
        switch self {
        case .damagedMember: ("damaged member", "damaged members", "damaged_members")
        case .foreignBytes: ("run of bytes outside of members", "runs of bytes outside of members", "foreign_bytes")
        case .missingEndMember: ("file without its end", "files without their end", "missing_end_members")
        case .badLine: ("bad line", "bad lines", "bad_lines")
        case .duplicateID: ("duplicate", "duplicates", "duplicates")
        case .unexplainedGap:
            ("missing by sequence and not explained", "missing by sequence and not explained", "unexplained_sequences")
        case .missingBeginning:
            ("missing before these files and not explained", "missing before these files and not explained", "missing_beginnings")
        }
    }
}
