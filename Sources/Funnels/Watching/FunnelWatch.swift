import EventFiles

/// Counts funnels over files that grow, and reads each time only what is new.
///
/// What was decoded stays in memory, and each overview is counted from all of it: about 60 bytes for each event, beside what
/// ``FunnelRun/overview(reading:threads:progress:trendStarts:period:)`` needs.
///
/// Not `Sendable`: one thread at a time.
public final class FunnelWatch {
    private let run: FunnelRun
    private let plan: CompiledFunnel
    private let follower: EventFileFollower
    private let decoder = LineDecoder()
    private var batches: [OverviewBatch] = []

    /// - Parameters:
    ///   - run: what is counted.
    ///   - paths: files, folders and patterns; standard input cannot be watched.
    public init(_ run: FunnelRun, paths: [String]) {
        self.run = run
        plan = CompiledFunnel(run.definitions)
        follower = EventFileFollower(paths: paths)
    }

    /// Everything so far, if lines came since the last time; the first time in any case.
    ///
    /// - Parameters:
    ///   - trendStarts: the starts that trends count.
    ///   - period: in which period a start lies, in milliseconds since 1970 UTC; `nil` for no trends.
    /// - Throws: `EventFileReadError`.
    public func poll(
        trendStarts: FunnelDefinition.Starts = .mature, period: ((Int64) -> Range<Int64>)? = nil
    ) throws -> FunnelRun.Overview? {
        var batch = OverviewBatch(plan, expecting: 1024)
        let lines = try follower.poll { line in
            if !decoder.decode(line, { batch.take($0) }) { batch.takeBadLine() }
        }
        if lines == 0 && !batches.isEmpty { return nil }
        batches.append(batch)
        return run.overview(of: batches, follower.report, trendStarts: trendStarts, period: period)
    }
}
