import Basics

/// Adds up the batches of one check.
struct CheckTally: ~Copyable {
    private var report = CheckReport()
    private var files: [CheckReport.File]
    private var ids = Hash128Set()
    private var ledger = SessionLedger()
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
        for (place, id) in batch.ids.enumerated() where !ids.insert(id) { repeated.insert(place) }
        files[batch.file].duplicates += repeated.count
        for run in batch.runs {
            let session = batch.sessions[run.session]
            ledger.add(run.sequences, key: session.key, name: session.name)
        }
        files[batch.file].clockSteps += batch.clockSteps.count
        report.largestClockStep = max(report.largestClockStep, batch.clockSteps.largest)
        dropped.add(batch.dropped(except: repeated))
    }

    consuming func finish(_ read: ReadReport, files listed: [InputFile]) -> CheckReport {
        report.leftOut = read.leftOut
        report.gone = read.gone
        report.sessions = ledger.count
        report.droppedEvents = dropped.events
        let gaps = ledger.finish()
        for step in ledger.clockSteps {
            files[step.file].clockSteps += 1
            report.largestClockStep = max(report.largestClockStep, step.earlier - step.later)
        }
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

    /// Sets what `dropped` lines own up to against what is missing: first by session, then what they count without naming the session.
    private mutating func explain(_ gaps: [SessionLedger.Gap], _ newPlaces: [Int]) {
        var missing: [Int: Int64] = [:]
        for gap in gaps {
            missing[gap.session] = missing[gap.session, default: 0].addingClamped(gap.count)
            report.missingSequences = report.missingSequences.addingClamped(gap.count)
            let file = newPlaces[gap.file]
            report.files[file].missingSequences = report.files[file].missingSequences.addingClamped(gap.count)
        }
        var named: [Int: Int64] = [:]
        for (key, count) in dropped.bySession { if let session = ledger.place(of: key) { named[session] = count } }
        var unnamed = dropped.ofOthers
        var unexplained: Set<Int> = []
        for (session, count) in missing.sorted(by: { $0.key < $1.key }) {
            let rest = count - min(count, named[session, default: 0])
            let covered = min(rest, unnamed)
            unnamed -= covered
            report.unexplainedSequences = report.unexplainedSequences.addingClamped(rest - covered)
            if rest > covered { unexplained.insert(session) }
        }
        let ordered = gaps.filter { unexplained.contains($0.session) } + gaps.filter { !unexplained.contains($0.session) }
        report.firstGaps = ordered.prefix(CheckReport.exampleLimit).map { gap in
            CheckReport.Gap(
                session: ledger.name(of: gap.session), firstMissing: gap.firstMissing, lastMissing: gap.lastMissing,
                isExplained: !unexplained.contains(gap.session), file: newPlaces[gap.file])
        }
    }
}
