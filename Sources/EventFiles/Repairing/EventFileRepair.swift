import Basics
public import TrackingEvents

/// Makes sound files of damaged ones: every event that can still be proven or validated, in blocked gzip with its end member.
///
/// It saves the lines of every member whose CRC is right, the whole lines of a member that the end of the file cuts, and every whole line
/// that a reader can use of ordinary gzip and plain files. It leaves out members whose CRC is wrong, lines that are no events, and the
/// later of two lines with one id. Bytes that are no UTF-8 and halves of surrogate pairs become U+FFFD, numbers beyond doubles `null`. A
/// `dropped` line counts by session the sequence numbers that the damage took, so that a check can tell this loss from others.
///
/// With another output the input is never changed. In place, the old file stays as `<name>.damaged` if a line was left out or changed.
public struct EventFileRepair: Sendable {
    private let jobs: [RepairJob]
    private let clock: WallClock
    private let random: SeededRandom
    private let fileSystem: any FileSystem

    /// Of two lines with one id, the first in the order of the jobs is kept. `clock` stamps `dropped` lines, and `random` gives them ids.
    public init(
        _ jobs: [RepairJob], clock: WallClock = .system, random: SeededRandom = SeededRandom(),
        fileSystem: any FileSystem = PosixFileSystem()
    ) { (self.jobs, self.clock, self.random, self.fileSystem) = (jobs, clock, random, fileSystem) }

    /// Reads all files, writes the sound ones, and checks these.
    ///
    /// Each sound file gets its name in one step once it is synced. Killed at any point, a repair leaves the damaged file or the sound one,
    /// and at most a hidden file, which the next repair removes.
    ///
    /// - Parameter progress: receives the progress of the first reading.
    /// - Throws: ``RepairError``; ``EventFileReadError`` if a file cannot be read. Files that were repaired before stay repaired.
    /// - Complexity: O(bytes) time, read three times. Memory: three times 18 to 37 bytes for each id, about 200 for each session.
    public func run(threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil) throws -> RepairResult {
        var plan = RepairSteps()
        var (result, found, before) = (RepairResult(), [RepairJob](), ReadProgress())
        let halfForgotten = try halfForgotten()
        for job in jobs {
            let path = FilePath(job.input)
            if let name = SegmentName.parse(path.name)?.name, halfForgotten[ExactText(path.folder)]?.contains(name) ?? false {
                result.files.append(.init(FileReadResult(path: job.input), refusedFor: .halfForgotten(job.input)))
                continue
            }
            let read = try plan.read(RepairInput(job: job, threads: threads, fileSystem: fileSystem)) { now in
                progress?(ReadProgress(bytes: before.bytes + now.bytes, lines: before.lines + now.lines))
            }
            if read != nil { found.append(job) } else { result.gone.append(job.input) }
            before.bytes += read?.bytes ?? 0
            before.lines += read?.lines ?? 0
        }
        plan.finish()
        var written = FingerprintSet()
        var random = random
        for (index, job) in found.enumerated() {
            result.files.append(try repair(job, plan, index, threads: threads, ids: &written, random: &random))
        }
        let paths = result.files.compactMap { $0.outcome == .untouched ? $0.read.path : $0.output }
        let sound = EventFileReader(paths.map { InputFile(path: $0, wasNamed: false) }, on: fileSystem)
        if !paths.isEmpty { result.check = try EventFileCheck(sound).run(threads: threads) }
        return result
    }

    /// The files of killed forgettings in each folder. They are not read: the lines of one would pass for duplicates of the other's.
    private func halfForgotten() throws(RepairError) -> [ExactText: Set<SegmentName>] {
        var found: [ExactText: Set<SegmentName>] = [:]
        for path in Set(jobs.map { ExactText(FilePath($0.input).folder) }) {
            found[path] = try RepairOutput.storage(path.text) { () throws(FileSystemError) in
                // The folder may be gone, or readable only by the names of its files.
                try allowing([ENOENT, ENOTDIR, EACCES]) { () throws(FileSystemError) in
                    let folder = try EventFolder.holding(FilePath(folder: path.text, name: ""), on: fileSystem)
                    return try folder.halfForgotten(among: SegmentName.parsed(folder.names()).filter { $0.state == .sealed }.map(\.name))
                }
            }
        }
        return found
    }

    private func repair(
        _ job: RepairJob, _ plan: borrowing RepairSteps, _ index: Int, threads: Int, ids: inout FingerprintSet, random: inout SeededRandom
    ) throws -> RepairResult.File {
        var file = plan.files[index]
        let input = RepairInput(job: job, threads: threads, fileSystem: fileSystem)
        if plan.isSound(index, job) {
            // Notes the ids: a line in a later file with one of them is a duplicate.
            _ = try input.read(as: index, progress: nil) { batch, _ in
                for line in batch.lines { if let id = line.id { _ = ids.insert(id) } }
            }
            file.outcome = .untouched
            return file
        }
        if file.savedLines == 0 {
            file.outcome = file.isEmpty && !job.isInPlace ? .empty : .nothingSaved
            return file
        }
        do {
            try write(input, as: index, &file, plan.drops[index], to: RepairOutput(job, on: fileSystem), ids: &ids, random: &random)
            file.output = job.output
        } catch let error as RepairError {
            let keepsOthers: [RepairError] = [
                .inUse(job.input), .inUse(job.output), .notGzipInPlace(job.input), .changed(job.input),
                .folderInUse(FilePath(job.output).folder),
            ]
            guard keepsOthers.contains(error) else { throw error }
            (file.outcome, file.refusal) = (.refused, error)
            (file.savedLines, file.salvagedLines, file.mendedLines, file.missingSequences) = (0, 0, 0, 0)
        }
        return file
    }

    private func write(
        _ input: RepairInput, as index: Int, _ file: inout RepairResult.File, _ drops: DropTally, to output: RepairOutput,
        ids: inout FingerprintSet, random: inout SeededRandom
    ) throws {
        do {
            var lines = 0
            _ = try input.read(as: index, progress: nil) { batch, _ in
                try batch.bytes.withUnsafeBufferPointer { bytes in
                    var start = 0
                    for line in batch.lines {
                        defer { start = line.end }
                        if let id = line.id, !ids.insert(id) { continue }
                        try output.append(lines: UnsafeBufferPointer(rebasing: bytes[start..<line.end]))
                        lines += 1
                    }
                }
            }
            // A file that is being written may have grown. If it has lost lines instead, the result of the first reading is wrong.
            guard lines >= file.savedLines else { throw RepairError.changed(input.job.input) }
            file.savedLines = lines
            if !drops.isEmpty {
                let line = drops.line(time: clock.milliseconds, random: &random)
                try withExtendedLifetime(line) { try output.append(lines: line.bytes) }
            }
        } catch {
            output.discard()
            throw error
        }
        // Keeps the input for duplicates, too: two lines with one id may be different events.
        (file.outputBytes, file.original) = try output.publish(keepsInput: file.hasLost || file.mendedLines > 0 || file.duplicates > 0)
    }
}
