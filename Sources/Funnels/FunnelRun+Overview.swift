public import EventFiles

extension FunnelRun {
    /// Everything a report over several funnels shows, of one pass.
    public struct Overview: Sendable, Hashable {
        /// One result for each definition, in their order.
        public let results: [FunnelResult]
        /// The same by the time of entry, if periods were asked for; else empty.
        public let trends: [FunnelTrend]
        /// Which events there are.
        public let catalogue: EventCatalogue
        /// What was read, file by file.
        public let reading: ReadReport
    }

    /// Reads everything once, counts each definition and lists the events.
    ///
    /// Memory: that of ``results(reading:threads:progress:)`` and of `CatalogueRun`, and where trends are wanted the former twice.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: told on the calling thread how far the reading is.
    ///   - bucket: to which period a chain belongs that began at some time: the first millisecond of the period, both since 1970
    ///     UTC; `nil` for no trends.
    /// - Throws: `EventFileReadError` where a file cannot be read at all.
    public func overview(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil,
        bucket: ((Int64) -> Int64)? = nil
    ) throws -> Overview {
        let plan = FunnelPlan(definitions)
        var funnels = FunnelAccumulator(plan)
        // Counting uses its records up.
        var entries = FunnelAccumulator(plan)
        var events = CatalogueAccumulator()
        let report = try reader.read(
            threads: threads,
            map: { lines in
                var funnels = FunnelBatch(plan, expecting: lines.lineCount)
                var events = CatalogueBatch(expecting: lines.lineCount)
                let decoder = LineDecoder()
                lines.forEachLine { line in
                    let isGood = decoder.decode(line) { head in
                        funnels.take(head)
                        events.take(head)
                    }
                    if !isGood {
                        funnels.head.badLines += 1
                        events.head.badLines += 1
                    }
                }
                return (funnels, events)
            },
            consume: { batch in
                funnels.take(batch.0)
                if bucket != nil { entries.take(batch.0) }
                events.take(batch.1)
            }, progress: progress)
        var trends: [FunnelTrend] = []
        if let bucket { trends = entries.trends(report, bucket: bucket) }
        return Overview(
            results: funnels.results(report), trends: trends, catalogue: events.catalogue(report), reading: report)
    }
}
