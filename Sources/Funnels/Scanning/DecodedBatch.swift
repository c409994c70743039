import EventFiles

/// What one pass over files keeps of a batch of lines.
protocol DecodedBatch: Sendable {
    /// Takes the next line that can be used.
    mutating func take(_ line: EventHead)
    /// Notes a line that cannot.
    mutating func takeBadLine()
}

/// A batch that counts by its head.
protocol HeadedBatch: DecodedBatch {
    var head: BatchHead { get set }
}

extension HeadedBatch {
    mutating func takeBadLine() { head.badLines += 1 }
}

extension FunnelBatch: HeadedBatch {}
extension CatalogueBatch: HeadedBatch {}
extension PropertyBatch: HeadedBatch {}
extension TimingBatch: HeadedBatch {}

extension EventFileReader {
    /// Reads everything once, and decodes each batch of lines on whatever thread has it.
    ///
    /// - Parameters:
    ///   - makeBatch: an empty batch for about so many lines.
    ///   - consume: takes the batches in the order of files and lines, on the calling thread.
    func read<Batch: DecodedBatch>(
        threads: Int, progress: ((ReadProgress) -> Void)?, into makeBatch: @Sendable (Int) -> Batch, consume: (Batch) -> Void
    ) throws -> ReadReport {
        let validates = validatesLines
        return try read(
            threads: threads,
            map: { lines in
                var batch = makeBatch(lines.lineCount)
                let decoder = LineDecoder(validatesLines: validates)
                lines.forEachLine { line in
                    if !decoder.decode(line, { batch.take($0) }) { batch.takeBadLine() }
                }
                return batch
            }, consume: consume, progress: progress)
    }
}
