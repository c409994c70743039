/// Turns the records of a funnel into its tally, part by part.
enum FunnelFold {
    /// - Parameters:
    ///   - records: of one definition.
    ///   - dataEnd: time of the last event of all, in milliseconds since 1970 UTC.
    static func tally(_ records: borrowing RecordStore, of definition: FunnelDefinition, dataEnd: Int64) -> FunnelTally {
        var tally = FunnelTally(stepCount: definition.steps.count)
        let chains = OrderedChains(definition)
        for part in 0..<RecordStore.partCount {
            records.forEachKey(inPart: part) { events in
                chains.follow(events)
                tally.add(chains, window: definition.windowMilliseconds, dataEnd: dataEnd)
            }
        }
        return tally
    }
}
