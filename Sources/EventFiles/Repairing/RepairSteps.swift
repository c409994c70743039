import Basics
import TrackingEvents

/// What a first reading of all files found: what is wrong with each, and which sequence numbers are lost for good.
struct RepairSteps: ~Copyable {
    private(set) var files: [RepairResult.File] = []
    /// What a `dropped` line in the sound form of each file has to own up to.
    private(set) var drops: [DropTally] = []
    private var ledger = SequenceLedger()
    private var names: [Fingerprint: String] = [:]
    private var dropped: DroppedSum

    /// - Parameter paths: the files that will be read.
    init(files paths: [String]) { dropped = DroppedSum(files: paths) }

    /// Reads the next file.
    ///
    /// - Parameter ids: those of the files before; grows.
    mutating func read(_ input: RepairInput, ids: inout FingerprintSet, progress: ((ReadProgress) -> Void)?) throws {
        var file = RepairResult.File(FileReadResult(path: input.path))
        let place = files.count
        file.read = try input.read(progress: progress) { batch, isSalvaged in
            file.badLines += batch.badLines
            file.firstBadLines += batch.firstBadLines.prefix(CheckResult.exampleLimit - file.firstBadLines.count)
            var idCount = 0
            var repeated: Set<Int> = []
            for line in batch.lines {
                if let id = line.id {
                    idCount += 1
                    if !ids.insert(id) {
                        repeated.insert(idCount - 1)
                        continue
                    }
                }
                file.savedLines += 1
                if isSalvaged { file.salvagedLines += 1 }
                if line.isMended { file.mendedLines += 1 }
            }
            for var run in batch.check.sessions.runs {
                run.lowFile = Int32(place)
                ledger.add(run)
            }
            names.merge(batch.check.names) { first, _ in first }
            file.duplicates += repeated.count
            dropped.add(batch.check, except: repeated)
        }
        file.badLines += file.read.longLines
        files.append(file)
    }

    /// Settles what the gaps in the sequences mean, once all files are read.
    ///
    /// What is lost where files are damaged, or cut between members, is owned up to in the file after the gap. Where nothing is damaged a
    /// gap is no repairer's to explain: it stays, and a check goes on to show it.
    mutating func finish() {
        drops = Array(repeating: DropTally(), count: files.count)
        guard files.contains(where: { $0.read.damagedMembers > 0 || $0.badLines > 0 }) else { return }
        var known = dropped.dropped
        known.add(dropped.removed)
        var unnamed = known.ofOthers
        var named = known.bySession
        for gap in ledger.finish() {
            let byName = min(gap.count, named[gap.session, default: 0])
            named[gap.session, default: 0] -= byName
            let byOthers = min(gap.count - byName, unnamed)
            unnamed -= byOthers
            let lost = gap.count - byName - byOthers
            if lost == 0 { continue }
            drops[gap.file].add(.storage, session: names[gap.session], count: Int(clamping: lost))
            files[gap.file].missingSequences = files[gap.file].missingSequences.addingClamped(lost)
        }
    }

    /// Whether a repair in place has nothing to do.
    func isSound(_ place: Int, _ job: RepairJob) -> Bool {
        let file = files[place]
        return file.read.damagedMembers == 0 && file.badLines == 0 && file.duplicates == 0 && file.mendedLines == 0
            && drops[place].isEmpty && job.input == job.output
    }
}
