public import EventFiles

extension FunnelRun {
    /// Reads everything once and lists the keys behind a bar of the only definition.
    ///
    /// Memory: beyond that of ``results(reading:threads:progress:)`` the texts of all keys that have an event of a step.
    ///
    /// - Parameters:
    ///   - selection: which keys; a step that the definition does not have selects none.
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Returns: the people, and what was read, file by file.
    /// - Throws: `EventFileReadError` where a file cannot be read at all.
    public func members(
        _ selection: FunnelPeople.Selection, reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors,
        progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (members: FunnelPeople, reading: ReadResult) {
        precondition(definitions.count == 1, "members are those of one funnel")
        var accumulator = FunnelAccumulator(CompiledFunnel(definitions, keepsKeys: true))
        let report = try accumulator.takeAll(of: reader, threads: threads, progress: progress)
        return (accumulator.members(selection, report), report)
    }
}
