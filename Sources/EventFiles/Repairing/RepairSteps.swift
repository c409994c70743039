import Basics
import TrackingEvents

/// What a first reading of all files found: what is wrong with each, and which sequence numbers are lost for good.
struct RepairSteps: ~Copyable {
    private(set) var files: [RepairResult.File] = []
    /// For each file, the losses that a `dropped` line in its sound form has to report.
    private(set) var drops: [DropTally] = []
    private var sequences = SequenceTally()
    /// For each session that begins above number 1, where its lowest run begins.
    private var starts: [Fingerprint: CheckBatch.Start] = [:]

    /// Returns `nil` if the file is gone.
    mutating func read(_ input: RepairInput, progress: ((ReadProgress) -> Void)?) throws -> FileReadResult? {
        var file = RepairResult.File(FileReadResult(path: input.job.input))
        let read = try input.read(as: files.count, progress: progress) { batch, isSalvaged in
            file.badLines += batch.badLines
            file.firstBadLines += batch.firstBadLines.prefix(CheckResult.exampleLimit - file.firstBadLines.count)
            let repeated = sequences.take(batch)
            file.duplicates += repeated.count
            starts.merge(batch.starts.map { ($0.run.session, $0) }) { $1.run.low < $0.run.low ? $1 : $0 }
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
        guard let read else { return nil }
        file.read = read
        file.badLines += read.longLines
        files.append(file)
        return read
    }

    /// Decides what the gaps in the sequences mean, once all files are read. If a file is damaged, or cut between members, each gap is a
    /// loss, which the file after it reports. If none is damaged, a repair explains no gap, and a check still shows it. Numbers before a
    /// session's first line count only behind damage: as lost if all earlier files of the writer are here, else as uncertain.
    mutating func finish() {
        drops = Array(repeating: DropTally(), count: files.count)
        guard files.contains(where: \.isDamaged) else { return }
        var (missing, beginnings) = sequences.missing(beside: files.lazy.map(\.read.path))
        let (earlier, firstDamaged) = (earlierFiles(), files.firstIndex(where: \.isDamaged) ?? files.count)
        for (gap, count) in beginnings {
            let isBehind = starts[gap.session].map { files[gap.file].isDamaged(before: $0) } ?? false
            guard isBehind || earlier[gap.file] ?? (firstDamaged < gap.file) else { continue }
            if earlier[gap.file] != nil {
                missing.append((gap, count))
            } else {
                files[gap.file].uncertainSequences = files[gap.file].uncertainSequences.addingClamped(count)
            }
        }
        for (gap, lost) in missing where lost > 0 {
            drops[gap.file].add(.storage, session: sequences.names[gap.session], count: Int(clamping: lost))
            files[gap.file].missingSequences = files[gap.file].missingSequences.addingClamped(lost)
        }
    }

    /// For each file, whether an earlier file of its writer is damaged; `nil` unless all earlier ones are here.
    private func earlierFiles() -> [Bool?] {
        var (found, last) = ([Bool?](repeating: nil, count: files.count), [String: (number: Int64, isDamaged: Bool)]())
        let named = files.indices.compactMap { index in SegmentName.parse(FilePath(files[index].read.path).name).map { ($0.name, index) } }
        for (name, index) in named.sorted(by: { $0.0.number < $1.0.number }) where name.number == (last[name.writerName]?.number ?? 0) + 1 {
            found[index] = last[name.writerName]?.isDamaged ?? false
            last[name.writerName] = (name.number, found[index] == true || files[index].isDamaged)
        }
        return found
    }

    func isSound(_ index: Int, _ job: RepairJob) -> Bool {
        let file = files[index]
        return !file.isDamaged && file.duplicates == 0 && file.mendedLines == 0 && drops[index].isEmpty && job.input.isExactly(job.output)
    }
}
