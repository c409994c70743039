public import Funnels

/// How long it took several groups: for each where the middle of its times lies, and how far nine of ten and nearly all reach.
public struct RangeChart: Sendable, Hashable {
    /// One group; times in milliseconds.
    public struct Row: Sendable, Hashable {
        /// From data.
        public let name: String
        public let median: Double
        public let ninetieth: Double
        public let ninetyNinth: Double

        public init(name: String, median: Double, ninetieth: Double, ninetyNinth: Double) {
            self.name = name
            self.median = median
            self.ninetieth = ninetieth
            self.ninetyNinth = ninetyNinth
        }

        public init(name: String, _ times: Distribution) {
            self.init(name: name, median: times.p50, ninetieth: times.p90, ninetyNinth: times.p99)
        }
    }

    public let rows: [Row]

    public init(rows: [Row]) { self.rows = rows }
}
