/// What a funnel counted, with the definition it counted by and the quality of what it read.
public struct FunnelResult: Sendable, Hashable {
    /// One bar of the funnel.
    public struct Step: Sendable, Hashable {
        /// 1 for the first.
        public let index: Int
        /// Keys whose chain reached this step.
        public let count: Int
        /// Keys that reached the step before and not this one; 0 for the first.
        public let dropped: Int
        /// Share of step 1 and of the step before, 0…1; `nil` where that is a share of nothing.
        public let ofFirst: Double?
        public let ofPrevious: Double?
        /// Time from the step before and from step 1; `nil` for step 1 and where nobody got here.
        public let fromPrevious: Distribution?
        public let fromFirst: Distribution?
    }

    public let definition: FunnelDefinition
    /// As many as the definition has.
    public let steps: [Step]
    /// Keys that entered and did not convert, and whose latest attempt still had time when the data ended.
    public let windowOpen: Int
    public let input: InputQuality
    /// Names in the steps that no event had, in the order of the steps.
    public let unseenNames: [UnseenName]

    /// Keys that reached step 1 and the last one.
    public var entered: Int { steps.first?.count ?? 0 }
    public var converted: Int { steps.last?.count ?? 0 }
    /// Share of those entered that converted, 0…1; `nil` if none entered.
    public var rate: Double? { entered == 0 ? nil : Double(converted) / Double(entered) }
    /// Time from step 1 to the last; `nil` where there is one step only or nobody converted.
    public var timeToConvert: Distribution? { steps.last?.fromFirst }
    /// The step that loses the most keys, the first of several; `nil` if none loses any.
    public var largestLoss: Step? {
        steps.reduce(nil) { worst, step in step.dropped > (worst?.dropped ?? 0) ? step : worst }
    }
}

extension FunnelResult {
    init(_ definition: FunnelDefinition, tally: FunnelTally, input: InputQuality, unseenNames: [UnseenName]) {
        let counts = definition.steps.indices.map(tally.count)
        func share(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }
        self.init(
            definition: definition,
            steps: counts.indices.map { step in
                let previous = step == 0 ? counts[0] : counts[step - 1]
                var fromPrevious = step == 0 ? [] : tally.durations(from: step - 1, to: step)
                var fromFirst = step == 0 ? [] : tally.durations(from: 0, to: step)
                return Step(
                    index: step + 1, count: counts[step], dropped: previous - counts[step],
                    ofFirst: share(counts[step], counts[0]), ofPrevious: share(counts[step], previous),
                    fromPrevious: Distribution(sorting: &fromPrevious), fromFirst: Distribution(sorting: &fromFirst))
            },
            windowOpen: tally.windowOpen, input: input, unseenNames: unseenNames)
    }
}
