public import EventFiles

/// A funnel by the time of entry: each chain counts in the period in which it began.
public struct FunnelTrend: Sendable, Hashable {
    /// What began in one period.
    public struct Point: Sendable, Hashable {
        /// The period as the caller's function gave it, in milliseconds since 1970 UTC.
        public let startMilliseconds: Int64
        /// As many as the definition has.
        public let steps: [FunnelResult.Step]
        /// Keys that entered, and of them those that reached the last required step.
        public let entered: Int
        public let converted: Int
        /// Keys that had not converted and still had time when the data ended: the period's rate may yet rise.
        public let windowOpen: Int
        /// Time from step 1 to the last required one; `nil` where there is one step only or nobody converted.
        public let timeToConvert: Distribution?

        /// Share of those entered that converted, 0…1; `nil` if none entered.
        public var rate: Double? { entered == 0 ? nil : Double(converted) / Double(entered) }
    }

    /// What one pass gave.
    public struct Outcome: Sendable, Hashable {
        /// One for each definition, in their order.
        public let trends: [FunnelTrend]
        /// What was read, file by file.
        public let reading: ReadReport
    }

    public let definition: FunnelDefinition
    /// Periods in which a chain began, by time.
    public let points: [Point]
    public let input: InputQuality
    /// Names in the steps and exclusions that no event had, in their order.
    public let unseenNames: [UnseenName]
}

extension FunnelTrend.Point {
    init(_ start: Int64, _ tally: FunnelTally, _ definition: FunnelDefinition) {
        let steps = FunnelResult.Step.all(tally, of: definition)
        let last = steps[definition.lastRequiredStep]
        self.init(
            startMilliseconds: start, steps: steps, entered: steps[0].count, converted: last.count, windowOpen: tally.windowOpen,
            timeToConvert: last.fromFirst)
    }
}

extension FunnelAccumulator {
    /// The trends, one for each definition in their order.
    consuming func trends(_ report: ReadReport, bucket: (Int64) -> Int64) -> [FunnelTrend] {
        let all = finish(report)
        var trends: [FunnelTrend] = []
        for (funnel, definition) in definitions.enumerated() {
            var tallies: [Int64: FunnelTally] = [:]
            forEachChain(funnel, all) { _, chain, _ in
                tallies[bucket(chain.start), default: FunnelTally(definition)].add(chain)
            }
            trends.append(
                FunnelTrend(
                    definition: definition,
                    points: tallies.sorted { $0.key < $1.key }.map { FunnelTrend.Point($0.key, $0.value, definition) },
                    input: input(funnel, all), unseenNames: unseenNames(funnel)))
        }
        return trends
    }
}
