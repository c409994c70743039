public import EventFiles
import TrackingEvents

extension TableReport {
    /// The most places of one kind that are shown for a file; the rest is counted.
    private static let mostPlaces = 20

    public func text(of check: CheckReport) -> String {
        let rows = check.files.map { file in
            [
                shown(path: file.read.path, atMost: 80), file.read.framing.rawValue, number(file.read.members), number(file.read.lines),
                number(file.badLines), number(file.read.damagedMembers), number(file.duplicates),
                NumberFormat.count(file.missingSequences), number(file.clockSteps),
            ]
        }
        var lines = columns(
            ["file", "framing", "members", "lines", "bad", "damaged", "duplicates", "missing", "clock steps"], rows,
            rightAligned: Set(2...8), cutsStart: true)
        if rows.isEmpty { lines = ["no files"] }
        for file in check.files { lines += places(file) }
        lines += gaps(check)
        for path in check.leftOut { lines.append("left out, its content is in another file: \(shown(path: path, atMost: 200))") }
        for path in check.gone { lines.append("removed before it could be read: \(shown(path: path, atMost: 200))") }
        lines += totals(check)
        lines.append(verdict(check))
        return lines.map { $0 + "\n" }.joined()
    }

    /// Where a file is damaged and which lines cannot be used.
    private func places(_ file: CheckReport.File) -> [String] {
        var lines = file.read.damage.prefix(Self.mostPlaces).map {
            "  byte \(NumberFormat.count($0.byteOffset)): \(shown($0.message, atMost: 200))"
        }
        // Long lines stand among the damage.
        let damaged = file.read.damagedMembers + file.read.longLines
        if damaged > lines.count { lines.append("  and \(number(damaged - lines.count)) more places of damage") }
        lines += file.firstBadLines.prefix(Self.mostPlaces).map { bad in
            "  line \(number(bad.lineNumber)), at byte \(NumberFormat.count(bad.byteOffset)): \(shown(bad.problem.description, atMost: 200))"
        }
        let badLines = file.badLines - file.read.longLines
        let shownBad = min(file.firstBadLines.count, Self.mostPlaces)
        if badLines > shownBad { lines.append("  and \(number(badLines - shownBad)) more bad lines") }
        return lines.isEmpty ? [] : [shown(path: file.read.path, atMost: 200)] + lines
    }

    private func gaps(_ check: CheckReport) -> [String] {
        check.firstGaps.map { gap in
            let numbers = gap.firstMissing == gap.lastMissing ? "\(gap.firstMissing)" : "\(gap.firstMissing)\(style.dash)\(gap.lastMissing)"
            let file =
                check.files.indices.contains(gap.file)
                ? ", before a line of \(shown(path: check.files[gap.file].read.path, atMost: 120))" : ""
            return
                "session \(shown(gap.session)): \(numbers) missing, \(gap.isExplained ? "explained by a dropped line" : "unexplained")\(file)"
        }
    }

    private func totals(_ check: CheckReport) -> [String] {
        var pieces: [(text: String, gap: String)] = [
            ("\(NumberFormat.counted(check.events, "event")),", ""), ("\(NumberFormat.counted(check.metaLines, "meta line")),", " "),
            ("\(NumberFormat.counted(check.timingLines, "timing line"))", " "),
            ("in \(NumberFormat.counted(check.files.count, "file")) (\(NumberFormat.bytes(check.bytes))),", " "),
            ("\(NumberFormat.counted(check.sessions, "session"))", " "),
        ]
        func add(_ text: String) {
            pieces[pieces.count - 1].text += ","
            pieces.append((text, " "))
        }
        if check.droppedEvents > 0 { add("\(NumberFormat.count(check.droppedEvents)) dropped by the writer") }
        if check.missingSequences > 0 { add("\(NumberFormat.count(check.missingSequences)) missing by sequence") }
        if check.clockSteps > 0 {
            add(
                "\(NumberFormat.counted(check.clockSteps, "clock step")) back, the largest \(NumberFormat.duration(Double(check.largestClockStep)))"
            )
        }
        return style.flow(pieces)
    }

    private func verdict(_ check: CheckReport) -> String {
        if check.isSound { return style.bold("sound") }
        let faults = check.faults.map { fault in
            let count = check.count(of: fault)
            return "\(NumberFormat.count(count)) \(words(for: fault, isOne: count == 1))"
        }
        return style.red("not sound: " + faults.joined(separator: ", "))
    }

    private func words(for fault: CheckReport.Fault, isOne: Bool) -> String {
        switch fault {
        case .damagedMember: isOne ? "damaged member" : "damaged members"
        case .foreignBytes: isOne ? "run of bytes outside of members" : "runs of bytes outside of members"
        case .missingEndMember: isOne ? "file without its end" : "files without their end"
        case .badLine: isOne ? "bad line" : "bad lines"
        case .duplicateID: isOne ? "duplicate" : "duplicates"
        case .unexplainedGap: "missing by sequence and not explained"
        }
    }
}
