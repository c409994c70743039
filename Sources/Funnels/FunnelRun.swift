import Basics
public import EventFiles

/// Counts funnels over event files, any number of them in one pass.
///
/// ```swift
/// let definition = try FunnelDefinition(steps: FunnelStep.parse("cart_added > checkout_started > paid"))
/// let outcome = try FunnelRun([definition]).results(reading: EventFileReader(paths: ["events/"]))
/// print(outcome.results[0].converted)
/// ```
public struct FunnelRun: Sendable {
    public let definitions: [FunnelDefinition]
    /// How many of ``definitions`` were asked for. They come first; the others are there only to be compared with them.
    let askedCount: Int
    /// Gives the day that a time lies in. Claims are adjusted for it: they compare visits of the same day.
    let day: @Sendable (Int64) -> Range<Int64>

    /// - Parameters:
    ///   - definitions: what is asked.
    ///   - others: what they are compared with: none, or for each the same definition with another time range.
    ///   - day: gives the day that a time lies in, both in milliseconds since 1970 UTC; by default the day of UTC.
    public init(
        _ definitions: [FunnelDefinition], comparedWith others: [FunnelDefinition] = [],
        day: @escaping @Sendable (Int64) -> Range<Int64> = Self.dayOfUTC
    ) {
        self.definitions = definitions + others
        askedCount = definitions.count
        self.day = day
    }

    /// The UTC day that a time lies in, both in milliseconds since 1970.
    public static let dayOfUTC: @Sendable (Int64) -> Range<Int64> = { time in
        let start = DayCounts.start(of: time, every: DayCounts.length)
        return start..<start.addingClamped(DayCounts.length)
    }

    /// Reads everything once and counts.
    ///
    /// Memory: about 52 bytes for each event that fits a step, 24 for each key, 16 to 37 for each id, 64 for each session, and the reader's
    /// buffers. In strict order each event of a key is kept, whatever it fits.
    ///
    /// - Parameters:
    ///   - reader: reads the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Returns: a result for each definition in their order, and what was read, file by file.
    /// - Throws: `EventFileReadError` where a file cannot be read at all. Damage inside a file is counted and does not throw.
    /// - Complexity: O(bytes + events that fit a step), if each key's events stand nearly in the order of time.
    public func results(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (results: [FunnelResult], reading: ReadResult) {
        var accumulator = FunnelAccumulator(CompiledFunnel(definitions))
        let reading = try accumulator.takeAll(of: reader, threads: threads, progress: progress)
        return (accumulator.trends(reading, of: self, period: nil).map(\.result), reading)
    }

    /// Reads everything once and counts each definition by the time of entry: for each period the funnel of the starts in it.
    ///
    /// Reads files and takes memory as ``results(reading:threads:progress:)`` does, and keeps the times of all chains of all periods.
    /// A key's events are followed once for each period in which it starts, as far as the window reaches: an event costs O(window/period).
    ///
    /// - Parameter period: gives the period that a start lies in, both in milliseconds since 1970 UTC. Periods must not overlap.
    public func trends(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil,
        period: @escaping (Int64) -> Range<Int64>
    ) throws -> FunnelTrend.Outcome {
        var accumulator = FunnelAccumulator(CompiledFunnel(definitions))
        let reading = try accumulator.takeAll(of: reader, threads: threads, progress: progress)
        return FunnelTrend.Outcome(trends: accumulator.trends(reading, of: self, period: period).map(\.trend), reading: reading)
    }

    /// Reads everything once and lists the keys behind a bar of the only definition.
    ///
    /// Reads files and takes memory as ``results(reading:threads:progress:)`` does, and keeps the text of each key with an event of a step.
    ///
    /// - Parameter selection: which keys; a step that the definition does not have selects none.
    public func members(
        _ selection: FunnelPeople.Selection, reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors,
        progress: ((ReadProgress) -> Void)? = nil
    ) throws -> (members: FunnelPeople, reading: ReadResult) {
        precondition(definitions.count == 1, "members are those of one funnel")
        var accumulator = FunnelAccumulator(CompiledFunnel(definitions, keepsKeys: true))
        let reading = try accumulator.takeAll(of: reader, threads: threads, progress: progress)
        return (accumulator.members(selection, reading), reading)
    }
}
