/// Proves that files are sound and complete: every CRC and every byte is right, no id comes twice, no number is missing unexplained.
public struct EventFileCheck: Sendable {
    private let reader: EventFileReader
    private let isComplete: Bool

    /// - Parameter isComplete: whether these should be all files that there ever were. If so, a session that begins above 1 is a fault,
    ///   unless `dropped` lines explain it. Leave it `false` for a part, such as a copy of one month.
    public init(_ reader: EventFileReader, complete isComplete: Bool = false) { (self.reader, self.isComplete) = (reader, isComplete) }

    /// Checks all files together: a session, and the `dropped` lines that explain its gaps, may be spread over several files.
    ///
    /// - Throws: ``EventFileReadError`` if a file cannot be opened or read.
    /// - Complexity: O(bytes) time. Memory: 18 to 37 bytes for each id, about 100 for each session.
    public func run(threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil) throws -> CheckResult {
        var tally = CheckTally(files: reader.files, complete: isComplete)
        let read = try reader.read(threads: threads, map: { CheckBatch($0) }, consume: { tally.take($0) }, progress: progress)
        var result = tally.finish(read, files: reader.files)
        for folder in reader.folders {
            if let pending = try CheckResult.Pending(inside: folder, on: reader.fileSystem) { result.pending.append(pending) }
            for (path, ring) in try RingContents.all(inside: folder, on: reader.fileSystem) {
                if ring == nil { result.leftOut.append(path) }
                if let lines = ring?.lines, !lines.isEmpty { result.rings.append(CheckResult.Ring(path: path, lines: lines.count)) }
            }
        }
        result.noteSummaries(of: reader)
        return result
    }
}
