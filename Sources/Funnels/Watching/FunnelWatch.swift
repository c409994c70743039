import EventFiles

/// Counts funnels over growing files, and as a rule reads only what is new.
///
/// What was decoded stays in memory until its file is gone or replaced: about 200 bytes for each event, and 18 kB for each file.
/// Each overview is counted from all of it, and takes the memory of ``FunnelRun/overview(reading:threads:progress:trendStarts:period:)``, too.
///
/// Not `Sendable`: one thread at a time.
public final class FunnelWatch {
    /// What was decoded of one file. A batch begins small and ends full, so that little room is left unused.
    private struct WatchedFile {
        private static let linesPerBatch = 4096

        private(set) var batches: [FunnelBatch] = []
        private var lines = 0

        /// Calls `body` with the batch that takes the next line.
        mutating func withBatch(_ plan: CompiledFunnel, _ body: (inout FunnelBatch) -> Void) {
            if lines % Self.linesPerBatch == 0 { batches.append(FunnelBatch(plan, expecting: 0)) }
            lines += 1
            body(&batches[batches.count - 1])
        }

        mutating func pack() { batches[batches.count - 1].pack() }
    }

    private let run: FunnelRun
    private let plan: CompiledFunnel
    private let follower: EventFileFollower
    private let decoder = LineDecoder()
    /// By the follower's number of the file; its unfinished last line is under `~number`.
    private var files: [Int: WatchedFile] = [:]
    /// What was read when the last overview was made.
    private var shown: ReadResult?
    private var hasChanged = false

    /// - Parameters:
    ///   - run: what is counted.
    ///   - paths: files, folders and patterns; standard input cannot be watched.
    public init(_ run: FunnelRun, paths: [String]) {
        self.run = run
        plan = run.overviewPlan
        follower = EventFileFollower(paths: paths)
    }

    /// An overview of all that the files hold now; `nil` if they have not changed since the last call. The first call always gives one.
    ///
    /// Files that are gone no longer count, and one that was replaced counts as it is now.
    ///
    /// - Parameters:
    ///   - trendStarts: which starts the trends count.
    ///   - period: gives the period that a start lies in, both in milliseconds since 1970 UTC; `nil` for no trends.
    /// - Throws: `EventFileReadError`.
    /// - Complexity: O(files + lines read), and O(events) to count.
    public func poll(
        trendStarts: FunnelDefinition.Starts = .mature, period: ((Int64) -> Range<Int64>)? = nil
    ) throws -> FunnelRun.Overview? {
        var grown: Set<Int> = []
        _ = try follower.poll { number, line in
            grown.insert(number)
            hasChanged = true
            files[number, default: WatchedFile()].withBatch(plan) { batch in
                if !decoder.decode(line, { batch.take($0) }) { batch.takeBadLine() }
            }
        } dropped: { number in
            self.hasChanged = true
            self.files[number] = nil
        }
        for number in grown { files[number]?.pack() }
        let reading = follower.report
        guard hasChanged || reading != shown else { return nil }
        (shown, hasChanged) = (reading, false)
        let batches = follower.listed.lazy.compactMap { self.files[$0] }.flatMap(\.batches)
        return run.overview(of: batches, reading, trendStarts: trendStarts, period: period)
    }

    var batchCount: Int { files.values.reduce(0) { $0 + $1.batches.count } }
}
