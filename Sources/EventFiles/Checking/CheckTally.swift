import Basics

/// Adds up the batches of one check.
struct CheckTally: ~Copyable {
    private var report = CheckReport()
    private var files: [CheckReport.File]
    private var ids = FingerprintSet()
    private var ledger = SequenceLedger()
    private var names: [Fingerprint: String] = [:]
    private var dropped = DroppedNote()

    init(files: Int) { self.files = Array(repeating: .init(read: FileReport(path: "")), count: files) }

    /// Takes the batches in the order of the files and their lines: of two lines with the same id the later is the duplicate.
    mutating func take(_ batch: CheckBatch) {
        report.events += batch.events
        report.metaLines += batch.metaLines
        report.timingLines += batch.timingLines
        files[batch.file].badLines += batch.badLines
        let room = CheckReport.exampleLimit - files[batch.file].firstBadLines.count
        files[batch.file].firstBadLines += batch.firstBadLines.prefix(room)
        var repeated: Set<Int> = []
        ids.insert(batch.ids) { repeated.insert($0) }
        files[batch.file].duplicates += repeated.count
        ledger.add(batch.sessions.runs)
        names.merge(batch.names) { first, _ in first }
        add(batch.sessions.clockSteps, to: batch.file)
        dropped.add(batch.dropped(except: repeated))
    }

    consuming func finish(_ read: ReadReport, files listed: [InputFile]) -> CheckReport {
        report.leftOut = read.leftOut
        report.gone = read.gone
        report.unnameable = read.unnameable
        report.sessions = ledger.count
        report.droppedEvents = dropped.events
        let gaps = ledger.finish()
        for (file, steps) in ledger.clockSteps { add(steps, to: file) }
        // Files that were gone when their turn came have no report; the others are in the order of the list.
        var reports = read.files[...]
        var newPlaces: [Int] = []
        for (place, file) in listed.enumerated() {
            newPlaces.append(report.files.count)
            guard let next = reports.first, next.path.utf8.elementsEqual(file.path.utf8) else { continue }
            reports.removeFirst()
            var checked = files[place]
            checked.read = next
            checked.badLines += next.longLines
            report.files.append(checked)
        }
        explain(gaps, newPlaces)
        return report
    }

    private mutating func add(_ steps: ClockSteps, to file: Int) {
        files[file].clockSteps += steps.count
        report.largestClockStep = max(report.largestClockStep, steps.largest)
    }

    /// Sets what `dropped` lines say against what is missing: first by session, then what they count without naming the session.
    private mutating func explain(_ gaps: [SequenceLedger.Gap], _ newPlaces: [Int]) {
        var missing: [(session: Fingerprint, count: Int64)] = []
        for gap in gaps {
            if missing.last?.session != gap.session { missing.append((gap.session, 0)) }
            missing[missing.count - 1].count = missing[missing.count - 1].count.addingClamped(gap.count)
            report.missingSequences = report.missingSequences.addingClamped(gap.count)
            let file = newPlaces[gap.file]
            report.files[file].missingSequences = report.files[file].missingSequences.addingClamped(gap.count)
        }
        var unnamed = dropped.ofOthers
        var unexplained: Set<Fingerprint> = []
        for (session, count) in missing {
            let rest = count - min(count, dropped.bySession[session, default: 0])
            let covered = min(rest, unnamed)
            unnamed -= covered
            report.unexplainedSequences = report.unexplainedSequences.addingClamped(rest - covered)
            if rest > covered { unexplained.insert(session) }
        }
        let ordered = gaps.filter { unexplained.contains($0.session) } + gaps.filter { !unexplained.contains($0.session) }
        report.firstGaps = ordered.prefix(CheckReport.exampleLimit).map { gap in
            CheckReport.Gap(
                session: names[gap.session] ?? "", firstMissing: gap.firstMissing, lastMissing: gap.lastMissing,
                isExplained: !unexplained.contains(gap.session), file: newPlaces[gap.file])
        }
    }
}
