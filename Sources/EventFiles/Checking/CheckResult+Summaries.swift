import ParquetFiles

extension CheckResult {
    /// A summary that cannot be used.
    public struct UselessSummary: Sendable, Hashable {
        public var path: String
        /// Why, in words: it is stale, foreign or damaged.
        public var reason: String
    }

    /// Proves every byte of the summaries beside the files.
    mutating func noteSummaries(of reader: EventFileReader) {
        let opened = reader.openSummaries()
        uselessSummaries = opened.ignored.map { UselessSummary(path: $0.path, reason: $0.reason) }
        for (file, summary) in zip(reader.files, opened.all) {
            guard let summary else { continue }
            do throws(ParquetError) {
                try summary.file.proveAll()
                summaries += 1
            } catch {
                uselessSummaries.append(UselessSummary(path: file.path + SegmentSummary.ending, reason: "\(SegmentSummary.Fault(error))"))
            }
        }
        uselessSummaries.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}
