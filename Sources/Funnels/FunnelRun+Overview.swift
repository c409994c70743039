public import EventFiles

extension FunnelRun {
    /// Everything a report over several funnels shows, of one pass.
    public struct Overview: Sendable, Hashable {
        /// One result for each definition, in their order.
        public let results: [FunnelResult]
        /// Each definition by the time of entry, if periods were asked for; else empty.
        public let trends: [FunnelTrend]
        /// Which events there are.
        public let catalogue: EventCatalogue
        /// What was read, file by file.
        public let reading: ReadResult
    }

    /// Reads everything once, counts each definition and lists the events.
    ///
    /// Memory: that of ``results(reading:threads:progress:)`` and of `CatalogueRun`, and where trends are wanted of those.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    ///   - trendStarts: the starts that trends count.
    ///   - period: in which period a start lies, in milliseconds since 1970 UTC; `nil` for no trends.
    /// - Throws: `EventFileReadError` where a file cannot be read at all.
    public func overview(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil,
        trendStarts: FunnelDefinition.Starts = .mature, period: ((Int64) -> Range<Int64>)? = nil
    ) throws -> Overview {
        let plan = CompiledFunnel(definitions)
        var counter = OverviewCounter(plan, self)
        let report = try reader.read(plan.summaryNeeds, threads: threads, progress: progress) {
            OverviewBatch(plan, expecting: $0)
        } consume: {
            counter.take($0)
        }
        try counter.funnels.findNearPaths(of: reader, report, threads: threads)
        return counter.overview(report, trendStarts: trendStarts, period: period)
    }

    /// Counts batches that were decoded before.
    func overview(
        of batches: some Sequence<OverviewBatch>, _ report: ReadResult, trendStarts: FunnelDefinition.Starts,
        period: ((Int64) -> Range<Int64>)?
    ) -> Overview {
        var counter = OverviewCounter(CompiledFunnel(definitions), self)
        for batch in batches { counter.take(batch) }
        return counter.overview(report, trendStarts: trendStarts, period: period)
    }
}

/// Adds up the batches of an overview.
private struct OverviewCounter: ~Copyable {
    var funnels: FunnelAccumulator
    private var events = CatalogueAccumulator()
    private let run: FunnelRun

    init(_ plan: CompiledFunnel, _ run: FunnelRun) {
        funnels = FunnelAccumulator(plan)
        self.run = run
    }

    mutating func take(_ batch: OverviewBatch) {
        funnels.take(batch.funnels)
        events.add(batch.events, duplicates: funnels.tally.duplicates)
    }

    consuming func overview(
        _ report: ReadResult, trendStarts: FunnelDefinition.Starts, period: ((Int64) -> Range<Int64>)?
    ) -> FunnelRun.Overview {
        let catalogue = events.catalogue(
            funnels.finish(report), metaLines: funnels.tally.metaLines, timingLines: funnels.tally.timingLines)
        guard let period else {
            return FunnelRun.Overview(results: funnels.results(report, of: run), trends: [], catalogue: catalogue, reading: report)
        }
        let counted = funnels.trends(report, of: run, trendStarts, period: period)
        return FunnelRun.Overview(results: counted.map(\.result), trends: counted.map(\.trend), catalogue: catalogue, reading: report)
    }
}

/// What an overview keeps of one batch of lines. The funnels' head counts the lines for both.
struct OverviewBatch: DecodedBatch {
    private(set) var funnels: FunnelBatch
    private(set) var events: CatalogueBatch

    init(_ plan: CompiledFunnel, expecting lines: Int) {
        funnels = FunnelBatch(plan, expecting: lines)
        events = CatalogueBatch(expecting: lines)
    }

    /// Gives back what only helps to take further lines.
    mutating func pack() { funnels.head.sequences.pack() }

    mutating func take(_ line: EventHead) {
        funnels.take(line)
        if line.kind == .event { events.note(line) }
    }

    mutating func takeBadLine() { funnels.takeBadLine() }

    mutating func adopt(_ facts: SummaryBatchFacts) { funnels.adopt(facts) }
}
