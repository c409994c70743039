/// A funnel: one bar a step, and beside each bar what was lost on the way to it.
public struct FunnelChart: Sendable, Hashable {
    /// One step.
    public struct Row: Sendable, Hashable {
        /// From data.
        public let name: String
        public let count: Int
        /// Of step 1, 0…1.
        public let share: Double
        /// The step that ``dropped`` and ``ofPrevious`` refer to, 1 for the first: the last one before that is not optional.
        public let previous: Int
        /// How many reached that step and not this one.
        public let dropped: Int
        /// Of that step, 0…1; `nil` where that is a share of nothing.
        public let ofPrevious: Double?
        /// Time from the step before, in milliseconds; `nil` where there is none.
        public let median: Double?
        public let ninetieth: Double?

        public init(
            name: String, count: Int, share: Double, previous: Int = 1, dropped: Int = 0, ofPrevious: Double? = nil, median: Double? = nil,
            ninetieth: Double? = nil
        ) {
            self.name = name
            self.count = count
            self.share = share
            self.previous = previous
            self.dropped = dropped
            self.ofPrevious = ofPrevious
            self.median = median
            self.ninetieth = ninetieth
        }
    }

    public let rows: [Row]

    public init(rows: [Row]) { self.rows = rows }
}
