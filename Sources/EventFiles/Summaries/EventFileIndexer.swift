import ParquetFiles

/// Puts a summary, `<name>.parquet`, beside each sealed event file: the same events in columns. This package, and every engine that reads
/// Parquet, answers queries from it in a fraction of the time.
///
/// The event files stay as they are. An existing summary is kept if its footer is sound and it was made of this very file; otherwise it is
/// replaced in one step. Only a check (``EventFileCheck``) also proves its columns. On the command line, this is `looptrail index`.
///
/// ```swift
/// let report = try EventFileIndexer(EventFileReader(paths: ["events/"])).run()
/// print(report.made, report.refused.count)
/// ```
public struct EventFileIndexer: Sendable {
    private let reader: EventFileReader
    private let keepsProperties: Bool

    /// - Parameter keepsProperties: whether summaries get a column `props` with the JSON of all properties, for queries that are written
    ///   for it. It makes summaries a third larger. If `true`, a summary without the column is replaced. If `false`, one with it is kept.
    public init(_ reader: EventFileReader, keepsProperties: Bool = false) {
        (self.reader, self.keepsProperties) = (reader, keepsProperties)
    }

    /// Makes the summaries that are missing, with about 80 MB of memory for each thread.
    ///
    /// - Parameters:
    ///   - threads: how many files it works on at a time, 1 to 256.
    ///   - progress: called on the calling thread after each file, in the order of the files.
    /// - Returns: what became of each file. A file that cannot be read or whose summary cannot be written is among the refused.
    /// - Complexity: O(bytes of the files): about three times the processor time of reading them.
    public func run(threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil) -> IndexResult {
        var files: [IndexResult.File] = []
        var done = ReadProgress()
        OrderedWork.run(reader.files.count, threads: min(max(threads, 1), 256)) {
            make(reader.files[$0])
        } consume: { _, file in
            files.append(file)
            done.bytes += file.bytes
            done.lines += file.rows
            progress?(done)
        }
        return IndexResult(files: files)
    }

    private func make(_ input: InputFile) -> IndexResult.File {
        var file = IndexResult.File(path: input.path, outcome: .refused(.notSealed), bytes: input.bytes ?? 0)
        guard input.bytes != nil, input.path.endsWithBytes(SegmentContents.events.suffix) else { return file }
        let summary = try? SegmentSummary.open(forSegmentAt: input.path, on: reader.fileSystem)
        if let summary, !keepsProperties || summary.file.column(named: SummaryColumn.properties.name) != nil {
            file.note(.kept, summary.facts, bytes: summary.bytes)
            return file
        }
        do {
            let path = FilePath(input.path)
            let folder = try EventFolder.holding(path, on: reader.fileSystem)
            let isLink = try folder.status(path.name)?.kind == .link
            switch try isLink ? .refused(.link) : SummaryFile(folder: folder, name: path.name, keepsProperties: keepsProperties).make() {
            case .refused(let refusal): file.outcome = .refused(refusal)
            case .made(let facts, let bytes): file.note(.made, facts, bytes: bytes)
            }
        } catch {
            file.outcome = .refused(.failed("\(error)"))
        }
        return file
    }
}
