import EventFiles

/// What one pass over files keeps of a batch of lines.
protocol DecodedBatch: Sendable {
    /// Takes the next line that can be used.
    mutating func take(_ line: EventHead)
    /// Notes a line that cannot.
    mutating func takeBadLine()
    /// Takes a summary's event without looking at it, if nothing but its being there matters; else says no, and ``take(_:)`` follows.
    mutating func pass(_ glance: EventGlance) -> Bool
    /// Takes what is known of a segment besides its rows, before the first of them.
    mutating func adopt(_ facts: SummaryBatchFacts)
}

/// What a batch is told of a summary's event before anything else of it is put together.
struct EventGlance {
    var time: Int64
    /// As ``EventHead/nameCode``.
    var nameCode: Int
    var hasUser: Bool
    var isRepeated: Bool
    /// Of the id, if ids are compared.
    var id: Fingerprint
}

extension DecodedBatch {
    @inline(__always)
    mutating func pass(_ glance: EventGlance) -> Bool { false }
}

/// A batch that counts by its head.
protocol HeadedBatch: DecodedBatch {
    var head: BatchHead { get set }
}

extension HeadedBatch {
    mutating func takeBadLine() { head.badLines += 1 }
    mutating func adopt(_ facts: SummaryBatchFacts) { head.adopt(facts) }
}

extension FunnelBatch: HeadedBatch {}
extension CatalogueBatch: HeadedBatch {}
extension PropertyBatch: HeadedBatch {}
extension TimingBatch: HeadedBatch {}

extension EventFileReader {
    /// Reads everything once, and decodes each batch on whatever thread has it: from summaries where these are valid, else from lines.
    ///
    /// - Parameters:
    ///   - needs: what the batches look at of each event; `nil` if only lines have it.
    ///   - makeBatch: an empty batch for about so many lines.
    ///   - consume: takes the batches in the order of files and lines, on the calling thread.
    func read<Batch: DecodedBatch>(
        _ needs: SummaryNeeds? = nil, threads: Int, progress: ((ReadProgress) -> Void)?, into makeBatch: @Sendable (Int) -> Batch,
        consume: (Batch) -> Void
    ) throws -> ReadReport {
        // Whether a line is sound as a whole only the line says. Standard input cannot be read twice, which some runs do after summaries.
        if usesSummaries, !validatesLines, let needs, !files.contains(where: \.isStandardInput), let reading = SummaryReading(self, needs) {
            return try reading.run(threads: threads, progress: progress, into: makeBatch, consume: consume)
        }
        return try readLines(threads: threads, progress: progress, into: makeBatch, consume: consume)
    }

    func readLines<Batch: DecodedBatch>(
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
