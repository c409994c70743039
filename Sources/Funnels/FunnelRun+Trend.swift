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
        let plan = FunnelPlan(definitions)
        var accumulator = FunnelAccumulator(plan)
        let report = try reader.read(threads: threads, progress: progress) {
            FunnelBatch(plan, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return FunnelTrend.Outcome(trends: accumulator.trends(report, bucket: bucket), reading: report)
    }
}
