/// What a funnel counted, with the definition it counted by and the quality of what it read.
public struct FunnelResult: Sendable, Hashable {
    /// One bar of the funnel.
    public struct Step: Sendable, Hashable {
        /// 1 for the first.
        public let index: Int
        /// Keys whose chain took this step.
        public let count: Int
        /// Keys that reached the required step before and not this one; 0 for the first, and for an optional one, which nobody has to take.
        public let dropped: Int
        /// The count as a share of that of step 1, and of that of the required step before, 0…1; `nil` for a share of nothing.
        public let ofFirst: Double?
        public let ofPrevious: Double?
        /// Time from the required step before and from step 1; `nil` for step 1 and where nobody got here.
        public let fromPrevious: Distribution?
        public let fromFirst: Distribution?
    }

    /// The keys of one value of the breakdown's property.
    public struct Group: Sendable, Hashable {
        /// A text or a number as on the line, `true`, `false`, ``FunnelBreakdown/none`` or ``FunnelBreakdown/other``.
        public let value: String
        /// As many as the definition has.
        public let steps: [Step]
    }

    /// The counts of mature starts alone, even if the result shows all starts.
    public struct Mature: Sendable, Hashable {
        /// The first millisecond since 1970 UTC whose starts are left out, or the definition's `until` if it is earlier; `nil` if none are.
        public internal(set) var untilMilliseconds: Int64?
        /// Keys that reached step 1, and those of them that reached the last required step.
        public internal(set) var entered = 0
        public internal(set) var converted = 0
        /// How many more keys enter if all starts count; below 0 if that removes more than it adds: those whose later start is spoilt.
        public internal(set) var leftOut = 0
    }

    public let definition: FunnelDefinition
    /// As many as the definition has.
    public let steps: [Step]
    /// The groups of a breakdown, by falling count of step 1, then by value; empty without a breakdown.
    public internal(set) var groups: [Group] = []
    /// Keys that entered, did not convert, and had an attempt with time left when the data ended. A session that is over has no time left.
    public let windowOpen: Int
    public let input: InputQuality
    /// Names in the steps and exclusions that no event had, in their order.
    public let unseenNames: [UnseenName]

    /// Properties that the definition asks about and that no event of its steps has, as flags write them: `props.plan`, `session.platform`.
    public internal(set) var unseenPaths: [UnseenName] = []
    public internal(set) var mature = Mature()
    /// When the data ends; `nil` without events.
    public internal(set) var dataEnd: DataEnd?
    /// The end before a silence of more than a day that only the window hides; `nil` without such a silence.
    package internal(set) var hiddenEnd: DataEnd?
    /// How much the data cover of the time range in which starts count; `nil` without events.
    package var coverage: Coverage?
    /// What can be said of each group; `nil` for ``FunnelBreakdown/none``, for ``FunnelBreakdown/other``, and where there is one group.
    package internal(set) var groupClaims: [Claim?] = []
    /// The visits by user, day and index of the group, where visits are counted.
    var visits: VisitTable?
    /// The milliseconds within which 99 of 100 conversions of all starts came; `nil` if nobody converted or only step 1 is required.
    var ninetyNinth: Double?

    /// Keys that reached step 1, and those of them that reached the last required step.
    public var entered: Int { steps.first?.count ?? 0 }
    public var converted: Int { steps[definition.lastRequiredStep].count }
    /// Share of those entered that converted, 0…1; `nil` if none entered.
    public var rate: Double? { entered == 0 ? nil : Double(converted) / Double(entered) }
    /// Time from step 1 to the last required step; `nil` if nobody converted or only step 1 is required.
    public var timeToConvert: Distribution? { steps[definition.lastRequiredStep].fromFirst }
    /// The step that loses the most keys, the first of several; `nil` if none loses any.
    public var largestLoss: Step? { steps.reduce(nil) { worst, step in step.dropped > (worst?.dropped ?? 0) ? step : worst } }
}

extension FunnelResult.Step {
    static func all(_ tally: FunnelTally, of definition: FunnelDefinition) -> [FunnelResult.Step] {
        func share(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }
        return definition.steps.indices.map { step in
            let count = tally.counts[step]
            let previous = tally.counts[definition.requiredStep(before: step)]
            var (fromPrevious, fromFirst) = (tally.sincePrevious[step], tally.sinceFirst[step])
            // Where the required step before is step 1 the two are equal: only one is sorted, which is the costly part.
            let (isSame, first) = (fromPrevious == fromFirst, Distribution(sorting: &fromFirst))
            return FunnelResult.Step(
                index: step + 1, count: count, dropped: definition.steps[step].isOptional ? 0 : previous - count,
                ofFirst: share(count, tally.counts[0]), ofPrevious: share(count, previous),
                fromPrevious: isSame ? first : Distribution(sorting: &fromPrevious), fromFirst: first)
        }
    }
}
