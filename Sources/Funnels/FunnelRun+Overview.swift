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
        public let reading: ReadReport
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
        let plan = FunnelPlan(definitions)
        var funnels = FunnelAccumulator(plan)
        var events = CatalogueAccumulator()
        let report = try reader.read(threads: threads, progress: progress) {
            OverviewBatch(funnels: FunnelBatch(plan, expecting: $0), events: CatalogueBatch(expecting: $0))
        } consume: { batch in
            funnels.take(batch.funnels)
            events.take(batch.events)
        }
        guard let period else {
            return Overview(results: funnels.results(report), trends: [], catalogue: events.catalogue(report), reading: report)
        }
        let counted = funnels.trends(report, of: trendStarts, period: period)
        return Overview(
            results: counted.map(\.result), trends: counted.map(\.trend), catalogue: events.catalogue(report), reading: report)
    }
}

/// What an overview keeps of one batch of lines.
private struct OverviewBatch: DecodedBatch {
    var funnels: FunnelBatch
    var events: CatalogueBatch

    mutating func take(_ line: EventHead) {
        funnels.take(line)
        events.take(line)
    }

    mutating func takeBadLine() {
        funnels.takeBadLine()
        events.takeBadLine()
    }
}
