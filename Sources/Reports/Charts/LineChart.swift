/// Shares over time: a line, and below it how many it is a share of; or several lines over the same stretches of time.
public struct LineChart: Sendable, Hashable {
    /// One stretch of time.
    public struct Point: Sendable, Hashable {
        /// The stretch as it is written below the line, words of ours: `2026-01-15`.
        public let label: String
        /// 0…1; `nil` where there is nothing to take a share of: the line is broken there.
        public let share: Double?
        /// What it is a share of; `nil` where that is not known.
        public let count: Int?
        /// Whether all that belongs to the stretch has been counted. What is not is dotted.
        public let isComplete: Bool

        public init(label: String, share: Double?, count: Int? = nil, isComplete: Bool = true) {
            self.label = label
            self.isComplete = isComplete
            self.share = share
            self.count = count
        }
    }

    /// One line.
    public struct Line: Sendable, Hashable {
        /// What the line is of, from data; shown where there are several.
        public let name: String
        /// In the order of time, at equal distances.
        public let points: [Point]
        /// Whether it stands behind the others, for comparison.
        public let isFaint: Bool

        public init(_ name: String = "", points: [Point], isFaint: Bool = false) {
            self.name = name
            self.points = points
            self.isFaint = isFaint
        }
    }

    /// The first one's labels stand below the picture, and the counts of it alone.
    public let lines: [Line]

    /// More lines than this cannot be told apart.
    public static let mostLines = 6

    public init(points: [Point]) { self.init(lines: [Line(points: points)]) }

    public init(lines: [Line]) { self.lines = lines }

    /// The stretches of the first line.
    var points: [Point] { lines.first?.points ?? [] }
}
