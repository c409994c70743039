import Basics

/// Adds up the batches of one check.
struct CheckTally: ~Copyable {
    private var report = CheckResult()
    private var files: [CheckResult.File]
    private var ids = FingerprintSet()
    private var ledger = SequenceLedger()
    private var names: [Fingerprint: String] = [:]
    private var dropped: DroppedSum

    init(files: [InputFile], complete isCompleteAsked: Bool) {
        self.files = Array(repeating: .init(read: FileReadResult(path: "")), count: files.count)
        dropped = DroppedSum(files: files.lazy.map(\.path))
        report.isCompleteAsked = isCompleteAsked
    }

    /// Takes the batches in the order of the files and their lines: of two lines with the same id the later is the duplicate.
    mutating func take(_ batch: CheckBatch) {
        report.events += batch.events
        report.metaLines += batch.metaLines
        report.timingLines += batch.timingLines
        files[batch.file].badLines += batch.badLines
        let room = CheckResult.exampleLimit - files[batch.file].firstBadLines.count
        files[batch.file].firstBadLines += batch.firstBadLines.prefix(room)
        var repeated: Set<Int> = []
        ids.insert(batch.ids) { repeated.insert($0) }
        files[batch.file].duplicates += repeated.count
        ledger.add(batch.sessions.runs)
        names.merge(batch.names) { first, _ in first }
        add(batch.sessions.clockSteps, to: batch.file)
        dropped.add(batch, except: repeated)
    }

    consuming func finish(_ read: ReadResult, files listed: [InputFile]) -> CheckResult {
        report.leftOut = read.leftOut
        report.gone = read.gone
        report.unnameable = read.unnameable
        report.sessions = ledger.count
        report.droppedEvents = dropped.dropped.events.addingClamped(dropped.removed.events)
        report.removedEvents = dropped.removed.removed
        let gaps = ledger.finish()
        let beginnings = ledger.beginnings()
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
        explain(gaps, beginnings, newPlaces)
        report.lastSegments = CheckResult.lastSegments(among: report.files.map(\.read.path))
        return report
    }

    private mutating func add(_ steps: ClockSteps, to file: Int) {
        files[file].clockSteps += steps.count
        report.largestClockStep = max(report.largestClockStep, steps.largest)
    }

    /// Sets what `dropped` lines say against what is missing: first by session, then what they count without naming the session.
    ///
    /// What was removed with a file explains beginnings before gaps, for the oldest files go first. What was dropped explains gaps first.
    private mutating func explain(_ gaps: [SequenceLedger.Gap], _ beginnings: [SequenceLedger.Gap], _ newPlaces: [Int]) {
        var (dropped, removed) = (Explanation(dropped.dropped), Explanation(dropped.removed))
        var earlier: [(session: Fingerprint, count: Int64)] = []
        for gap in beginnings {
            report.earlierSessions += 1
            report.earlierSequences = report.earlierSequences.addingClamped(gap.count)
            earlier.append((gap.session, gap.count - removed.cover(gap.count, of: gap.session)))
        }
        var missing: [(session: Fingerprint, count: Int64)] = []
        for gap in gaps {
            if missing.last?.session != gap.session { missing.append((gap.session, 0)) }
            missing[missing.count - 1].count = missing[missing.count - 1].count.addingClamped(gap.count)
            report.missingSequences = report.missingSequences.addingClamped(gap.count)
            let file = newPlaces[gap.file]
            report.files[file].missingSequences = report.files[file].missingSequences.addingClamped(gap.count)
        }
        var unexplained: Set<Fingerprint> = []
        for (session, count) in missing {
            var rest = count - dropped.cover(count, of: session)
            rest -= removed.cover(rest, of: session)
            report.unexplainedSequences = report.unexplainedSequences.addingClamped(rest)
            if rest > 0 { unexplained.insert(session) }
        }
        for (session, count) in earlier {
            report.unexplainedEarlierSequences = report.unexplainedEarlierSequences.addingClamped(count - dropped.cover(count, of: session))
        }
        let ordered = gaps.filter { unexplained.contains($0.session) } + gaps.filter { !unexplained.contains($0.session) }
        report.firstGaps = ordered.prefix(CheckResult.exampleLimit).map { gap in
            CheckResult.Gap(
                session: names[gap.session] ?? "", firstMissing: gap.firstMissing, lastMissing: gap.lastMissing,
                isExplained: !unexplained.contains(gap.session), file: newPlaces[gap.file])
        }
    }
}

/// What is left of what some `dropped` lines explain.
private struct Explanation {
    private var named: [Fingerprint: Int64]
    private var unnamed: Int64

    init(_ note: DroppedNote) { (named, unnamed) = (note.bySession, note.ofOthers) }

    /// Takes what explains missing numbers of a session.
    ///
    /// - Returns: how many of them are explained.
    mutating func cover(_ count: Int64, of session: Fingerprint) -> Int64 {
        let byName = min(count, named[session] ?? 0)
        if byName > 0 { named[session, default: 0] -= byName }
        let byOthers = min(count - byName, unnamed)
        unnamed -= byOthers
        return byName + byOthers
    }
}
