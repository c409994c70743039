public import EventFiles

extension FunnelRun {
    /// Everything that a report over several funnels shows, from one pass.
    public struct Overview: Sendable, Hashable {
        /// One result for each definition, in their order.
        public let results: [FunnelResult]
        /// One trend for each definition, in their order, if periods were asked for; else empty.
        public let trends: [FunnelTrend]
        /// Which events there are.
        public let catalogue: EventCatalogue
        /// What was read, file by file.
        public let reading: ReadResult
    }

    /// Reads everything once, counts each definition and lists the events.
    ///
    /// Memory: that of ``results(reading:threads:progress:)`` and of `CatalogueRun`, and, where trends are wanted, that of trends.
    ///
    /// - Parameters:
    ///   - reader: reads the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    ///   - trendStarts: which starts the trends count.
    ///   - period: gives the period that a start lies in, both in milliseconds since 1970 UTC; `nil` for no trends.
    /// - Throws: `EventFileReadError` where a file cannot be read at all.
    public func overview(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil,
        trendStarts: FunnelDefinition.Starts = .mature, period: ((Int64) -> Range<Int64>)? = nil
    ) throws -> Overview {
        var accumulator = FunnelAccumulator(overviewPlan)
        let reading = try accumulator.takeAll(of: reader, threads: threads, progress: progress)
        return accumulator.overview(reading, of: self, trendStarts, period)
    }

    /// What an overview asks for in one pass.
    var overviewPlan: CompiledFunnel { CompiledFunnel(definitions, catalogue: CatalogueRun()) }

    /// Counts batches that were decoded before.
    func overview(
        of batches: some Sequence<FunnelBatch>, _ reading: ReadResult, trendStarts: FunnelDefinition.Starts,
        period: ((Int64) -> Range<Int64>)?
    ) -> Overview {
        var accumulator = FunnelAccumulator(overviewPlan)
        for batch in batches { accumulator.take(batch) }
        return accumulator.overview(reading, of: self, trendStarts, period)
    }
}

extension FunnelAccumulator {
    fileprivate consuming func overview(
        _ reading: ReadResult, of run: FunnelRun, _ trendStarts: FunnelDefinition.Starts, _ period: ((Int64) -> Range<Int64>)?
    ) -> FunnelRun.Overview {
        let catalogue = catalogue(reading)
        let counted = trends(reading, of: run, period == nil ? nil : trendStarts, period: period)
        return FunnelRun.Overview(
            results: counted.map(\.result), trends: period == nil ? [] : counted.map(\.trend), catalogue: catalogue, reading: reading)
    }
}
