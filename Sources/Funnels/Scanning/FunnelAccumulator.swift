import EventFiles

/// Adds up the batches of one pass for all its funnels, and makes their results.
struct FunnelAccumulator: ~Copyable {
    private let plan: FunnelPlan
    private var tally = BatchTally()
    private var names = SeenNames()
    private var withoutKey: [Int]
    private let records: UnsafeMutablePointer<RecordStore>

    init(_ plan: FunnelPlan) {
        self.plan = plan
        withoutKey = Array(repeating: 0, count: plan.keys.count)
        records = .allocate(capacity: plan.definitions.count)
        for funnel in plan.definitions.indices { (records + funnel).initialize(to: RecordStore()) }
    }

    deinit {
        records.deinitialize(count: plan.definitions.count)
        records.deallocate()
    }

    /// Takes the next batch, in the order of the data.
    mutating func take(_ batch: FunnelBatch) {
        tally.take(batch.head)
        for name in batch.names { names.insert(name) }
        for (place, keys) in batch.keys.enumerated() { withoutKey[place] += tally.count(missingIn: keys) }
        for (funnel, matches) in batch.matches.enumerated() {
            let keys = batch.keys[plan.keyOf[funnel]]
            for place in matches.events.indices {
                let event = Int(matches.events[place])
                let key = keys[event]
                if key == 0 || !tally.duplicates.isEmpty && tally.duplicates[event] { continue }
                records[funnel].append(
                    StepRecord(key: key, event: StepEvent(time: matches.times[place], steps: matches.steps[place])))
            }
        }
    }

    /// The results, one for each definition in their order.
    ///
    /// - Parameter report: of the reading that gave the batches.
    consuming func results(_ report: ReadReport) -> [FunnelResult] {
        var input = tally.finish(report)
        var results: [FunnelResult] = []
        for (funnel, definition) in plan.definitions.enumerated() {
            input.withoutKey = withoutKey[plan.keyOf[funnel]]
            let counted = FunnelFold.tally(records[funnel], of: definition, dataEnd: input.lastMilliseconds ?? 0)
            results.append(FunnelResult(definition, tally: counted, input: input, unseenNames: names.unseen(in: definition)))
        }
        return results
    }
}
