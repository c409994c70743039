import EventFiles

/// What one pass over files keeps of a batch of lines.
protocol DecodedBatch: Sendable {
    /// Whether one batch takes a summary's whole row group, because its result does not depend on how rows are divided; by default not.
    static var takesWholeGroups: Bool { get }
    /// Takes the next line that can be used.
    mutating func take(_ line: EventHead)
    /// Notes a line that cannot be used; by default does nothing.
    mutating func takeBadLine()
    /// Takes the rows of a summary's portion; by default one by one, as if they were lines.
    mutating func take(_ rows: inout SummaryRows)
    /// Takes what is known of a segment besides its rows. Comes before the first row; by default does nothing.
    mutating func adopt(_ facts: SummaryBatchFacts)
}

extension DecodedBatch {
    static var takesWholeGroups: Bool { false }
    mutating func takeBadLine() {}
    mutating func take(_ rows: inout SummaryRows) { while let line = rows.next() { take(line) } }
    mutating func adopt(_ facts: SummaryBatchFacts) {}
}

/// A batch with a ``BatchHead``, which counts the lines.
protocol HeadedBatch: DecodedBatch { var head: BatchHead { get set } }

extension HeadedBatch {
    mutating func takeBadLine() { head.badLines += 1 }
    mutating func adopt(_ facts: SummaryBatchFacts) { head.adopt(facts) }
}

extension EventFileReader {
    /// Reads everything once, and decodes each batch on whatever thread has it: from summaries where these are valid, else from lines.
    ///
    /// - Parameters:
    ///   - needs: what the batches look at of each event; `nil` if summaries do not have it, so that lines must be read.
    ///   - makeBatch: makes an empty batch with room for about that many lines.
    ///   - consume: takes the batches in the order of files and lines, on the calling thread.
    func read<Batch: DecodedBatch>(
        _ needs: SummaryNeeds? = nil, threads: Int, progress: ((ReadProgress) -> Void)?, into makeBatch: @Sendable (Int) -> Batch,
        consume: (Batch) -> Void
    ) throws -> ReadResult {
        // Only a whole line shows whether it is sound. Some questions read again after summaries; a pipe, which has no size, is read once.
        if usesSummaries, !validatesLines, let needs, files.allSatisfy({ $0.bytes != nil }), let reading = SummaryReading(self, needs) {
            return try reading.run(threads: threads, progress: progress, into: makeBatch, consume: consume)
        }
        return try readLines(threads: threads, progress: progress, into: { makeBatch($0.lineCount) }, consume: consume)
    }

    func readLines<Batch: DecodedBatch>(
        threads: Int, progress: ((ReadProgress) -> Void)?, into makeBatch: @Sendable (borrowing LineBatch) -> Batch,
        consume: (Batch) throws -> Void
    ) throws -> ReadResult {
        let validates = validatesLines
        return try read(
            threads: threads,
            map: { lines in
                var batch = makeBatch(lines)
                let decoder = LineDecoder(validatesLines: validates)
                lines.forEachLine { line in
                    if !decoder.decode(line, { batch.take($0) }) { batch.takeBadLine() }
                }
                return batch
            }, consume: consume, progress: progress)
    }
}
