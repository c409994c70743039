import Basics
import ParquetFiles

/// Puts a summary, `<name>.parquet`, beside each sealed event file: the same events in columns, which this package and every engine that
/// reads Parquet answer from in a fraction of the time.
///
/// The event files stay as they are. A summary that is there and right is kept, one of another state of its file is replaced in one step. The
/// command calls this `looptrail index`.
///
/// ```swift
/// let report = try EventFileIndexer(EventFileReader(paths: ["events/"])).run()
/// print(report.made, report.refused.count)
/// ```
public struct EventFileIndexer: Sendable {
    private let reader: EventFileReader
    private let keepsProperties: Bool

    /// - Parameters:
    ///   - reader: knows the files.
    ///   - keepsProperties: whether summaries get a column `props` with the JSON of all properties, for queries that are written for it. They
    ///     become a third larger. A summary that is there is kept whether it has the column or not.
    public init(_ reader: EventFileReader, keepsProperties: Bool = false) {
        self.reader = reader
        self.keepsProperties = keepsProperties
    }

    /// Makes what is missing.
    ///
    /// Memory: some 80 MB for each thread.
    ///
    /// - Parameters:
    ///   - threads: how many files are worked on at a time, 1 to 256.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Returns: what became of each file. A file that cannot be read or whose summary cannot be written is among the refused.
    /// - Complexity: O(bytes of the files): about three times the processor time of a reading.
    public func run(threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil) -> IndexResult {
        let work = IndexWork(reader, keepsProperties: keepsProperties)
        let helpers = WorkerThreads(min(max(threads, 1), 256) - 1) { while work.next(nil) {} }
        while work.next(progress) {}
        helpers.join()
        return IndexResult(files: work.finished())
    }
}

/// The files of one run, shared by its threads.
private final class IndexWork: Sendable {
    private struct State {
        var next = 0
        var bytes: Int64 = 0
        var files: [IndexResult.File?]
    }

    private let reader: EventFileReader
    private let keepsProperties: Bool
    private let state: Lock<State>

    init(_ reader: EventFileReader, keepsProperties: Bool) {
        self.reader = reader
        self.keepsProperties = keepsProperties
        state = Lock(State(files: Array(repeating: nil, count: reader.files.count)))
    }

    func finished() -> [IndexResult.File] { state.withLock { $0.files.compactMap { $0 } } }

    /// Works on the next file; `false` if there is none.
    func next(_ progress: ((ReadProgress) -> Void)?) -> Bool {
        let place = state.withLock { state in
            state.next += 1
            return state.next - 1
        }
        guard place < reader.files.count else { return false }
        var done: Int64 = 0
        let file = make(reader.files[place]) { offset in
            let bytes = state.withLock { state in
                state.bytes += offset - done
                return state.bytes
            }
            done = offset
            progress?(ReadProgress(bytes: bytes, lines: 0))
        }
        let bytes = state.withLock { state in
            state.files[place] = file
            state.bytes += file.bytes - done
            return state.bytes
        }
        progress?(ReadProgress(bytes: bytes, lines: 0))
        return true
    }

    private func make(_ input: InputFile, _ progress: (Int64) -> Void) -> IndexResult.File {
        let path = FilePath(input.path)
        func refused(_ refusal: IndexResult.Refusal) -> IndexResult.File {
            IndexResult.File(path: input.path, outcome: .refused(refusal), bytes: input.bytes ?? 0)
        }
        guard !input.isStandardInput, input.bytes != nil, input.path.endsWithBytes(SegmentContents.events.suffix) else {
            return refused(.notSealed)
        }
        if let summary = try? SegmentSummary.open(forSegmentAt: input.path, on: reader.fileSystem), (try? summary.file.proveAll()) != nil {
            return IndexResult.File(
                path: input.path, outcome: .kept, bytes: input.bytes ?? 0, summaryBytes: summary.bytes, rows: summary.facts.rows)
        }
        do throws(EventFileError) {
            let folder = try EventFolder.open(path.folder, on: reader.fileSystem)
            defer { folder.close() }
            do throws(FileSystemError) {
                switch try SummaryFile(folder: folder, name: path.name, keepsProperties: keepsProperties).make(progress: progress) {
                case .refused(let refusal): return refused(refusal)
                case .made(let rows, let bytes):
                    return IndexResult.File(path: input.path, outcome: .made, bytes: input.bytes ?? 0, summaryBytes: bytes, rows: rows)
                }
            } catch {
                throw .storage(error)
            }
        } catch {
            return refused(.failed("\(error)"))
        }
    }
}
