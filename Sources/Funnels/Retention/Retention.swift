/// Who came back: cohorts by the period of their first start, and for each period after it how many were there again.
public struct Retention: Sendable, Hashable {
    /// The keys that started in one period.
    public struct Cohort: Sendable, Hashable {
        /// The period's first millisecond since 1970 UTC.
        public let startMilliseconds: Int64
        public let size: Int
        /// Those that came back, by the periods since; `nil` where the period has not ended. One more than the definition has periods.
        public let retained: [Int?]

        /// The share of the cohort that was there in the k-th period, 0…1; `nil` where that is not known.
        public func share(_ k: Int) -> Double? { size == 0 ? nil : retained[k].map { Double($0) / Double(size) } }
    }

    /// The keys of one value of the breakdown's property.
    public struct Group: Sendable, Hashable {
        /// A text or a number as on the line, `true`, `false`, ``FunnelBreakdown/none`` or ``FunnelBreakdown/other``.
        public let value: String
        public let cohorts: [Cohort]
    }

    public let definition: RetentionDefinition
    /// When the data end, as a ``DataEnd`` says it of a funnel with a window of seven days, in milliseconds since 1970 UTC; `nil` without
    /// events.
    public let endMilliseconds: Int64?
    /// From the first with a key to the last, by time; empty ones between them too, unless that makes more than 10,000.
    public let cohorts: [Cohort]
    /// Of a breakdown, by falling size, then by value; ``FunnelBreakdown/none`` and ``FunnelBreakdown/other`` last. Else empty.
    public let groups: [Group]
    public let input: InputQuality
    /// Names in the two patterns that no event had, in their order.
    public let unseenNames: [UnseenName]
    /// As ``FunnelResult/unseenPaths``.
    public var unseenPaths: [UnseenName] = []

    /// The keys of all cohorts.
    public var size: Int { cohorts.reduce(0) { $0 + $1.size } }

    /// For each k the share that came back, of all cohorts whose cell is complete; `nil` where there is none.
    public static func average(_ cohorts: [Cohort], periods: Int) -> [Double?] {
        (0...periods).map { k in
            var (back, all) = (0, 0)
            for cohort in cohorts {
                guard let retained = cohort.retained[k] else { continue }
                back += retained
                all += cohort.size
            }
            return all == 0 ? nil : Double(back) / Double(all)
        }
    }
}
