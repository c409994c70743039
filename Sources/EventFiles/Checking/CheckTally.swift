import Basics

struct CheckTally: ~Copyable {
    private var report = CheckResult()
    private var files: [CheckResult.File]
    private var sequences = SequenceTally()

    init(files: [InputFile], complete isCompleteAsked: Bool) {
        self.files = Array(repeating: .init(read: FileReadResult(path: "")), count: files.count)
        report.isCompleteAsked = isCompleteAsked
    }

    mutating func take(_ batch: CheckBatch) {
        report.events += batch.events
        report.metaLines += batch.metaLines
        report.timingLines += batch.timingLines
        files[batch.file].badLines += batch.badLines
        let room = CheckResult.exampleLimit - files[batch.file].firstBadLines.count
        files[batch.file].firstBadLines += batch.firstBadLines.prefix(room)
        files[batch.file].duplicates += sequences.take(batch).count
        add(batch.sessions.clockSteps, to: batch.file)
    }

    consuming func finish(_ read: ReadResult, files listed: [InputFile]) -> CheckResult {
        (report.leftOut, report.gone, report.unnameable) = (read.leftOut, read.gone, read.unnameable)
        report.sessions = sequences.sessions
        let (gaps, beginnings) = sequences.missing(beside: read.files.lazy.map(\.path))
        report.droppedEvents = sequences.dropped.events.addingClamped(sequences.removed.events)
        report.removedEvents = sequences.removed.removed
        for (file, steps) in sequences.clockSteps { add(steps, to: file) }
        // Files that were gone before they were read have no result. The results of the others are in the order of the list.
        var reports = read.files[...]
        var newIndexes: [Int] = []
        for (index, file) in listed.enumerated() {
            newIndexes.append(report.files.count)
            guard let next = reports.first, next.path.utf8.elementsEqual(file.path.utf8) else { continue }
            reports.removeFirst()
            files[index].read = next
            files[index].badLines += next.longLines
            report.files.append(files[index])
        }
        report.earlierSessions = beginnings.count
        for (gap, unexplained) in beginnings {
            report.earlierSequences = report.earlierSequences.addingClamped(gap.count)
            report.unexplainedEarlierSequences = report.unexplainedEarlierSequences.addingClamped(unexplained)
        }
        note(gaps, newIndexes)
        report.lastSegments = CheckResult.lastSegments(among: report.files.map(\.read.path))
        return report
    }

    private mutating func add(_ steps: ClockSteps, to file: Int) {
        files[file].clockSteps += steps.count
        report.largestClockStep = max(report.largestClockStep, steps.largest)
    }

    private mutating func note(_ gaps: [SequenceTally.Missing], _ newIndexes: [Int]) {
        var unexplainedSessions: Set<Fingerprint> = []
        for (gap, unexplained) in gaps {
            let file = newIndexes[gap.file]
            report.missingSequences = report.missingSequences.addingClamped(gap.count)
            report.files[file].missingSequences = report.files[file].missingSequences.addingClamped(gap.count)
            report.unexplainedSequences = report.unexplainedSequences.addingClamped(unexplained)
            if unexplained > 0 { unexplainedSessions.insert(gap.session) }
        }
        let isExplained = gaps.map { !unexplainedSessions.contains($0.gap.session) }
        let order = gaps.indices.filter { !isExplained[$0] } + gaps.indices.filter { isExplained[$0] }
        report.firstGaps = order.prefix(CheckResult.exampleLimit).map { index in
            let gap = gaps[index].gap
            return CheckResult.Gap(
                session: sequences.names[gap.session] ?? "", firstMissing: gap.firstMissing, lastMissing: gap.lastMissing,
                isExplained: isExplained[index], file: newIndexes[gap.file])
        }
    }
}
