import Basics
import TrackingEvents

/// What a first reading of all files found: what is wrong with each, and which sequence numbers are lost for good.
struct RepairSteps: ~Copyable {
    private(set) var files: [RepairResult.File] = []
    /// What a `dropped` line in the sound form of each file has to own up to.
    private(set) var drops: [DropTally] = []
    private var sequences: SequenceTally

    init(files paths: [String]) { sequences = SequenceTally(files: paths) }

    mutating func read(_ input: RepairInput, progress: ((ReadProgress) -> Void)?) throws {
        var file = RepairResult.File(FileReadResult(path: input.path))
        file.read = try input.read(as: files.count, progress: progress) { batch, isSalvaged in
            file.badLines += batch.badLines
            file.firstBadLines += batch.firstBadLines.prefix(CheckResult.exampleLimit - file.firstBadLines.count)
            let repeated = sequences.take(batch)
            file.duplicates += repeated.count
            var ids = 0
            for line in batch.lines {
                if line.id != nil {
                    ids += 1
                    if repeated.contains(ids - 1) { continue }
                }
                file.savedLines += 1
                if isSalvaged { file.salvagedLines += 1 }
                if line.isMended { file.mendedLines += 1 }
            }
        }
        file.badLines += file.read.longLines
        files.append(file)
    }

    /// Settles what the gaps in the sequences mean, once all files are read. What is lost where files are damaged, or cut between members,
    /// is owned up to in the file after the gap. Where nothing is damaged a gap is no repairer's to explain: it stays, and a check goes on
    /// to show it.
    mutating func finish() {
        drops = Array(repeating: DropTally(), count: files.count)
        guard files.contains(where: { $0.read.damagedMembers > 0 || $0.badLines > 0 }) else { return }
        for (gap, lost) in sequences.missing().gaps where lost > 0 {
            drops[gap.file].add(.storage, session: sequences.names[gap.session], count: Int(clamping: lost))
            files[gap.file].missingSequences = files[gap.file].missingSequences.addingClamped(lost)
        }
    }

    func isSound(_ index: Int, _ job: RepairJob) -> Bool {
        let file = files[index]
        return file.read.damagedMembers == 0 && file.badLines == 0 && file.duplicates == 0 && file.mendedLines == 0
            && drops[index].isEmpty && job.input == job.output
    }
}
