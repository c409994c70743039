/// A share over time: a line, and below it how many it is a share of.
public struct LineChart: Sendable, Hashable {
    /// One stretch of time.
    public struct Point: Sendable, Hashable {
        /// The stretch as it is written below the line, words of ours: `2026-01-15`.
        public let label: String
        /// 0…1; `nil` where there is nothing to take a share of: the line is broken there.
        public let share: Double?
        /// What it is a share of; `nil` where that is not known.
        public let count: Int?
        /// Whether all that belongs to the stretch has been counted.
        public let isComplete: Bool

        public init(label: String, share: Double?, count: Int? = nil, isComplete: Bool = true) {
            self.label = label
            self.isComplete = isComplete
            self.share = share
            self.count = count
        }
    }

    /// In the order of time, at equal distances.
    public let points: [Point]

    public init(points: [Point]) { self.points = points }
}
