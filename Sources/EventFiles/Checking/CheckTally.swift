import Basics

struct CheckTally: ~Copyable {
    private var result = CheckResult()
    private var files: [CheckResult.File]
    private var sequences = SequenceTally()

    init(files: [InputFile], complete isCompleteAsked: Bool) {
        self.files = Array(repeating: .init(read: FileReadResult(path: "")), count: files.count)
        result.isCompleteAsked = isCompleteAsked
    }

    mutating func take(_ batch: CheckBatch) {
        result.events += batch.events
        result.metaLines += batch.metaLines
        result.timingLines += batch.timingLines
        files[batch.file].badLines += batch.badLines
        let room = CheckResult.exampleLimit - files[batch.file].firstBadLines.count
        files[batch.file].firstBadLines += batch.firstBadLines.prefix(room)
        files[batch.file].duplicates += sequences.take(batch).count
        add(batch.sessions.clockSteps, to: batch.file)
    }

    consuming func finish(_ read: ReadResult, files listed: [InputFile]) -> CheckResult {
        (result.leftOut, result.gone, result.unnameable) = (read.leftOut, read.gone, read.unnameable)
        result.sessions = sequences.sessions
        let (gaps, beginnings) = sequences.missing(beside: read.files.lazy.map(\.path))
        result.droppedEvents = sequences.dropped.events.addingClamped(sequences.removed.events)
        result.removedEvents = sequences.removed.removed
        for (file, steps) in sequences.clockSteps { add(steps, to: file) }
        // Files that were gone before they were read have no result. The results of the others are in the order of the list.
        var readings = read.files[...]
        var newIndexes: [Int] = []
        for (index, file) in listed.enumerated() {
            newIndexes.append(result.files.count)
            guard let next = readings.first, next.path.utf8.elementsEqual(file.path.utf8) else { continue }
            readings.removeFirst()
            files[index].read = next
            files[index].badLines += next.longLines
            result.files.append(files[index])
        }
        result.earlierSessions = beginnings.count
        for (gap, unexplained) in beginnings {
            result.earlierSequences = result.earlierSequences.addingClamped(gap.count)
            result.unexplainedEarlierSequences = result.unexplainedEarlierSequences.addingClamped(unexplained)
        }
        note(gaps, newIndexes)
        result.lastSegments = CheckResult.lastSegments(among: result.files.map(\.read.path))
        return result
    }

    private mutating func add(_ steps: ClockSteps, to file: Int) {
        files[file].clockSteps += steps.count
        result.largestClockStep = max(result.largestClockStep, steps.largest)
    }

    private mutating func note(_ gaps: [SequenceTally.Missing], _ newIndexes: [Int]) {
        var unexplainedSessions: Set<Fingerprint> = []
        for (gap, unexplained) in gaps {
            let file = newIndexes[gap.file]
            result.missingSequences = result.missingSequences.addingClamped(gap.count)
            result.files[file].missingSequences = result.files[file].missingSequences.addingClamped(gap.count)
            result.unexplainedSequences = result.unexplainedSequences.addingClamped(unexplained)
            if unexplained > 0 { unexplainedSessions.insert(gap.session) }
        }
        let isExplained = gaps.map { !unexplainedSessions.contains($0.gap.session) }
        let order = gaps.indices.filter { !isExplained[$0] } + gaps.indices.filter { isExplained[$0] }
        result.firstGaps = order.prefix(CheckResult.exampleLimit).map { index in
            let gap = gaps[index].gap
            return CheckResult.Gap(
                session: sequences.names[gap.session] ?? "", firstMissing: gap.firstMissing, lastMissing: gap.lastMissing,
                isExplained: isExplained[index], file: newIndexes[gap.file])
        }
    }
}
