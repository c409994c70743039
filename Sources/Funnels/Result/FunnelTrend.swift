public import EventFiles

/// A funnel by the time of entry: for each period the funnel of the starts in it.
///
/// A key that starts again in another period counts there too, so the periods' counts may add up to more than the whole.
public struct FunnelTrend: Sendable, Hashable {
    /// The funnel of the starts in one period.
    public struct Point: Sendable, Hashable {
        /// The beginning of the period, in milliseconds since 1970 UTC.
        public let startMilliseconds: Int64
        /// As many as the definition has.
        public let steps: [FunnelResult.Step]
        /// The groups of a breakdown, as ``FunnelResult/groups``.
        public internal(set) var groups: [FunnelResult.Group] = []
        /// Keys that entered, and of them those that reached the last required step.
        public let entered: Int
        public let converted: Int
        /// Keys that had not converted and still had time when the data ended: the period's rate may yet rise. 0 with mature starts only.
        public internal(set) var windowOpen = 0
        /// How many more keys enter if all starts count; below 0 if that removes more than it adds: those whose later start is spoilt.
        public internal(set) var leftOut = 0
        /// Whether the period lies wholly in the range of the funnel, and all of its starts are mature.
        public internal(set) var isComplete = true
        /// How much of the period the data cover.
        package internal(set) var coverage: Coverage?
        /// Time from step 1 to the last required step; `nil` if nobody converted or only step 1 is required.
        public let timeToConvert: Distribution?

        /// Share of those entered that converted, 0…1; `nil` if none entered.
        public var rate: Double? { entered == 0 ? nil : Double(converted) / Double(entered) }
    }

    /// What one pass gave.
    public struct Outcome: Sendable, Hashable {
        /// One for each definition, in their order.
        public let trends: [FunnelTrend]
        /// What was read, file by file.
        public let reading: ReadResult
    }

    /// The funnel over all periods together.
    public let whole: FunnelResult
    /// Periods in which an attempt began, by time.
    public let points: [Point]

    /// Whether the trend fell or rose, if its periods are days: any other period says too little.
    package var verdict: TrendClaim { .verdict(of: self) }

    /// What changed at each of some times, which are in milliseconds since 1970 UTC.
    package func changes(at marks: [Int64]) -> [TrendClaim] { TrendClaim.marks(marks, in: self) }

    public var definition: FunnelDefinition { whole.definition }
    public var input: InputQuality { whole.input }
    /// Names in the steps and exclusions that no event had, in their order.
    public var unseenNames: [UnseenName] { whole.unseenNames }
    public var unseenPaths: [UnseenName] { whole.unseenPaths }
}

extension FunnelTrend.Point {
    init(
        _ start: Int64, _ tally: StartTally, _ definition: FunnelDefinition, groups: [FunnelResult.Group], isComplete: Bool,
        _ coverage: Coverage?
    ) {
        let steps = FunnelResult.Step.all(tally.shown, of: definition)
        let last = steps[definition.lastRequiredStep]
        self.init(
            startMilliseconds: start, steps: steps, groups: groups, entered: steps[0].count, converted: last.count,
            windowOpen: tally.shown.windowOpen, leftOut: tally.counts.all.entered - tally.counts.mature.entered, isComplete: isComplete,
            coverage: coverage, timeToConvert: last.fromFirst)
    }
}
