public import EventFiles

extension FunnelRun {
    /// Reads everything once and counts each definition by the time of entry.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    ///   - bucket: to which period a chain belongs that began at some time: the first millisecond of the period, both since 1970
    ///     UTC.
    /// - Throws: `EventFileReadError` where a file cannot be read at all.
    public func trends(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil,
        bucket: (Int64) -> Int64
    ) throws -> FunnelTrend.Outcome {
        var accumulator = FunnelAccumulator(FunnelPlan(definitions))
        let report = try accumulator.takeAll(of: reader, threads: threads, progress: progress)
        return FunnelTrend.Outcome(trends: accumulator.trends(report, bucket: bucket), reading: report)
    }
}
