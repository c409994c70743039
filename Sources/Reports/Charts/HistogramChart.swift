public import Funnels

/// How durations are spread, over a time that grows by equal factors to the right.
public struct HistogramChart: Sendable, Hashable {
    /// A stretch of time and how many durations lie in it, in milliseconds.
    public struct Bar: Sendable, Hashable {
        public let lower: Int64
        public let upper: Int64
        public let count: Int

        public init(lower: Int64, upper: Int64, count: Int) {
            self.lower = lower
            self.upper = upper
            self.count = count
        }
    }

    /// A duration worth pointing at, in milliseconds.
    public struct Mark: Sendable, Hashable {
        /// Words of ours: `median`.
        public let name: String
        public let milliseconds: Double

        public init(name: String, milliseconds: Double) {
            self.name = name
            self.milliseconds = milliseconds
        }
    }

    /// What the durations are of, words of ours.
    public let subject: String
    /// Without gaps, in the order of time.
    public let bars: [Bar]
    public let marks: [Mark]

    public init(subject: String, bars: [Bar], marks: [Mark] = []) {
        self.subject = subject
        self.bars = bars
        self.marks = marks
    }
}

extension HistogramChart {
    /// More bars than this say no more.
    private static let mostBars = 32

    /// The shape of a sample, neighbouring stretches put together until they are few enough; `nil` without a shape.
    public init?(_ times: Distribution, of subject: String) {
        let buckets = times.histogram.buckets
        guard !buckets.isEmpty else { return nil }
        var merged = buckets.map { Bar(lower: $0.lower, upper: $0.upper, count: $0.count) }
        while merged.count > Self.mostBars {
            merged = stride(from: 0, to: merged.count, by: 2).map { place in
                guard place + 1 < merged.count else { return merged[place] }
                return Bar(
                    lower: merged[place].lower, upper: merged[place + 1].upper, count: merged[place].count + merged[place + 1].count)
            }
        }
        self.init(
            subject: subject, bars: merged,
            marks: [Mark(name: "median", milliseconds: times.p50), Mark(name: "p90", milliseconds: times.p90)])
    }

    /// The bars as rows; those at which nobody is are left out.
    func table(_ caption: String) -> ReportTable {
        let total = bars.reduce(0) { $0 + $1.count }
        var sum = 0
        let rows: [[ReportValue]] = bars.compactMap { bar in
            sum += bar.count
            guard bar.count > 0 else { return nil }
            return [
                .duration(Double(bar.lower)), .duration(Double(bar.upper)), .count(bar.count), .share(Double(bar.count) / Double(total)),
                .share(Double(sum) / Double(total)),
            ]
        }
        return ReportTable(
            caption,
            columns: [
                .init("From", key: "from_ms"), .init("Below", key: "to_ms"), .init("Count", key: "count"),
                .init("Share", key: "share"), .init("Cumulative", key: "cumulative_share"),
            ], rows: rows)
    }
}
