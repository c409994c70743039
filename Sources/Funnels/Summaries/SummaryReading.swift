import EventFiles
import ParquetFiles

/// One reading of files, some of which have summaries. Which files have one changes nothing that is counted, only the ``ReadResult``.
struct SummaryReading {
    private let reader: EventFileReader
    private let needs: SummaryNeeds
    private let summaries: [SegmentSummary?]
    private let ignored: [(path: String, reason: String)]
    private let facts: [SummaryBatchFacts]

    /// - Returns: `nil` if no summary can be used and none was ignored for a fault.
    init?(_ reader: EventFileReader, _ needs: SummaryNeeds) {
        var opened = reader.openSummaries()
        guard opened.all.contains(where: { $0 != nil }) || !opened.ignored.isEmpty else { return nil }
        var compared = Array(repeating: ComparedIDs.none, count: opened.all.count)
        if needs.countsLines {
            compared = SummaryProof.comparedIDs(opened.all) { file, error in
                opened.all[file] = nil
                opened.ignored.append((reader.files[file].path + SegmentSummary.ending, "\(SegmentSummary.Fault(error))"))
            }
        }
        let runs = opened.all.reduce(0) { $0 + ($1?.facts.runs.reduce(0) { $0 + $1.count } ?? 0) }
        let ids = zip(compared, opened.all).reduce(0) { $0 + min($1.0.mostIDs, $1.1?.facts.ids.count ?? 0) }
        facts = opened.all.indices.map { index in
            SummaryBatchFacts(
                badLines: opened.all[index]?.facts.badLines ?? 0, timingLines: opened.all[index]?.facts.timingLines ?? 0,
                expectedRuns: runs, expectedIDs: ids, compared: compared[index])
        }
        self.reader = reader
        self.needs = needs
        summaries = opened.all
        ignored = opened.ignored
    }

    func run<Batch: DecodedBatch>(
        threads: Int, progress: ((ReadProgress) -> Void)?, into makeBatch: @Sendable (Int) -> Batch, consume: (Batch) -> Void
    ) throws -> ReadResult {
        var reading = ReadResult()
        reading.leftOut = reader.leftOut
        reading.unnameable = reader.unnameable
        reading.ignoredSummaries = ignored.map { "\($0.path): \($0.reason)" }
        let (summaries, facts, needs) = (summaries, facts, needs)
        // What the files so far have together. To add all of them up after each file would take quadratic time.
        var done = ReadProgress()
        func add(_ files: [FileReadResult]) {
            reading.files += files
            for file in files { (done.bytes, done.lines) = (done.bytes + file.bytes, done.lines + file.lines) }
        }
        func readLines(of files: Range<Int>) throws {
            let read = try reader.reader(of: files).readLines(
                threads: threads,
                progress: progress.map { progress in
                    { progress(ReadProgress(bytes: done.bytes + $0.bytes, lines: done.lines + $0.lines)) }
                }, into: { makeBatch($0.lineCount) }, consume: consume)
            add(read.files)
            reading.gone += read.gone
        }
        func readSummaries(of files: Range<Int>) throws {
            try OrderedWork.run(files.count, threads: threads) { number -> Result<[Batch], ParquetError>? in
                guard let summary = summaries[files.lowerBound + number] else { return nil }
                return Result { () throws(ParquetError) in try summary.batches(needs, facts[files.lowerBound + number], makeBatch) }
            } consume: { number, result in
                let index = files.lowerBound + number
                switch result {
                case .success(let batches):
                    for batch in batches { consume(batch) }
                    if let file = summaries[index]?.report { add([file]) }
                    reading.summariesUsed += 1
                    progress?(done)
                case .failure(let error):
                    // Nothing of the file was handed over yet.
                    reading.ignoredSummaries.append("\(reader.files[index].path + SegmentSummary.ending): \(error)")
                    try readLines(of: index..<index + 1)
                case nil: break
                }
            }
        }
        var index = 0
        while index < summaries.count {
            let hasSummary = summaries[index] != nil
            let end = summaries[index...].firstIndex { ($0 != nil) != hasSummary } ?? summaries.count
            if hasSummary { try readSummaries(of: index..<end) } else if !needs.skipsLines { try readLines(of: index..<end) }
            index = end
        }
        return reading
    }
}
