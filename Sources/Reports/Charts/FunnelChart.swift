/// A funnel: one bar a step, and beside each bar what was lost on the way to it.
public struct FunnelChart: Sendable, Hashable {
    /// One step.
    public struct Row: Sendable, Hashable {
        /// From data.
        public let name: String
        public let count: Int
        /// Of step 1, 0…1.
        public let share: Double
        /// How many reached the step before and not this one.
        public let dropped: Int
        /// Of the step before, 0…1; `nil` where that is a share of nothing.
        public let ofPrevious: Double?
        /// Time from the step before, in milliseconds; `nil` where there is none.
        public let median: Double?
        public let ninetieth: Double?

        public init(
            name: String, count: Int, share: Double, dropped: Int = 0, ofPrevious: Double? = nil, median: Double? = nil,
            ninetieth: Double? = nil
        ) {
            self.name = name
            self.count = count
            self.share = share
            self.dropped = dropped
            self.ofPrevious = ofPrevious
            self.median = median
            self.ninetieth = ninetieth
        }
    }

    public let rows: [Row]

    public init(rows: [Row]) { self.rows = rows }
}
