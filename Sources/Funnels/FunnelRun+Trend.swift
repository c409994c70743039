public import EventFiles

extension FunnelRun {
    /// Reads everything once and counts each definition by the time of entry: for each period the funnel of the starts in it.
    ///
    /// Memory: that of ``results(reading:threads:progress:)``, and the times of all chains of all periods. A key's events are followed once for
    /// each period in which it starts, as far as the window reaches: an event costs O(window / period).
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    ///   - period: in which period a start lies, in milliseconds since 1970 UTC. Periods do not overlap.
    /// - Throws: `EventFileReadError` where a file cannot be read at all.
    public func trends(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil,
        period: @escaping (Int64) -> Range<Int64>
    ) throws -> FunnelTrend.Outcome {
        var accumulator = FunnelAccumulator(CompiledFunnel(definitions))
        let report = try accumulator.takeAll(of: reader, threads: threads, progress: progress)
        return FunnelTrend.Outcome(trends: accumulator.trends(report, of: self, period: period).map(\.trend), reading: report)
    }
}
