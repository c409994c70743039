/// Who came back: cohorts by the period of their first start, and how many of each came back in each period from then on.
public struct Retention: Sendable, Hashable {
    /// The keys that started in one period.
    public struct Cohort: Sendable, Hashable {
        /// The period's first millisecond since 1970 UTC.
        public let startMilliseconds: Int64
        public let size: Int
        /// How many keys came back in each of ``RetentionDefinition/periods`` + 1 periods, the cohort's own first; `nil` before its end.
        public let retained: [Int?]

        /// The share of the cohort that came back in the k-th period after its own, 0…1; `nil` if that has not ended, or nobody started.
        public func share(_ k: Int) -> Double? { size == 0 ? nil : retained[k].map { Double($0) / Double(size) } }
    }

    /// The keys of one value of the breakdown's property.
    public struct Group: Sendable, Hashable {
        /// A text or a number as on the line, `true`, `false`, ``FunnelBreakdown/none`` or ``FunnelBreakdown/other``.
        public let value: String
        public let cohorts: [Cohort]
    }

    public let definition: RetentionDefinition
    /// The ``DataEnd`` for a window of seven days, in milliseconds since 1970 UTC; `nil` without events.
    public let endMilliseconds: Int64?
    /// By time, from the first cohort with a key to the last. Empty ones between them are listed, too, unless that makes more than 10,000.
    public let cohorts: [Cohort]
    /// By falling size, then by value; ``FunnelBreakdown/none`` and ``FunnelBreakdown/other`` last. Empty without a breakdown.
    public let groups: [Group]
    public let input: InputQuality
    /// Names in the two patterns that no event had, in their order.
    public let unseenNames: [UnseenName]
    /// As ``FunnelResult/unseenPaths``.
    public var unseenPaths: [UnseenName] = []

    /// How many keys all cohorts have.
    public var size: Int { cohorts.reduce(0) { $0 + $1.size } }

    /// For each k from 0 on, the share that came back in the k-th period, over all cohorts for which it has ended; `nil` if there is none.
    public static func average(_ cohorts: [Cohort], periods: Int) -> [Double?] {
        (0...periods).map { k in
            let known = cohorts.compactMap { cohort in cohort.retained[k].map { (back: $0, size: cohort.size) } }
            let (back, all) = known.reduce((0, 0)) { ($0.0 + $1.back, $0.1 + $1.size) }
            return all == 0 ? nil : Double(back) / Double(all)
        }
    }
}
