import Basics

/// The days of a trend as logits, each with a weight and a weekday. The verdict and the alert are computed from these.
struct DailyTrend {
    struct Day: Sendable {
        let start: Int64
        let visits: Int
        let converted: Int
        let weekday: Int

        /// The share that converts, moved a little towards a half so that its logit is finite.
        var share: Double { (Double(converted) + 0.5) / (Double(visits) + 1) }
        var logit: Double { Self.logit(share) }
        var weight: Double { Double(visits) * share * (1 - share) }

        static func logit(_ share: Double) -> Double { log(share / (1 - share)) }
        static func share(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
    }

    /// A step in the logit from one day on.
    struct Step {
        /// The index of the first day after the step.
        let day: Int
        let size: Estimate
        /// For each day the logit that it would have without the step.
        let expected: [Double]
    }

    /// The days with visits that the data cover wholly and whose starts are mature, by rising `start` in milliseconds since 1970 UTC.
    let days: [Day]

    init(_ days: [Day]) { self.days = days }

    init(_ trend: FunnelTrend) {
        let whole = trend.points.filter { $0.isComplete && $0.coverage?.isWhole == true && $0.entered > 0 }
        let first = whole.first?.startMilliseconds ?? 0
        days = whole.map { point in
            let days = (Double(point.startMilliseconds - first) / 86_400_000).rounded()
            return Day(start: point.startMilliseconds, visits: point.entered, converted: point.converted, weekday: Int(days) % 7)
        }
    }

    /// Fits a step at the day with this index, with weekdays held equal; `nil` where too few days are left to estimate its error.
    ///
    /// - Complexity: O(days).
    func step(at day: Int) -> Step? {
        let (weights, weekdays) = (days.map(\.weight), days.map(\.weekday))
        let degrees = days.count - Set(weekdays).count - 1
        guard degrees > 0 else { return nil }
        let (after, logits) = (days.indices.map { $0 >= day ? 1.0 : 0 }, days.map(\.logit))
        var (x, y) = (after, logits)
        let strata = Strata([weekdays], weights)
        strata.centre(&x)
        strata.centre(&y)
        func sum(_ one: (Int) -> Double) -> Double { days.indices.reduce(0) { $0 + weights[$1] * one($1) } }
        let square = sum { x[$0] * x[$0] }
        guard square > 1e-9 else { return nil }
        let size = sum { x[$0] * y[$0] } / square
        let residual = sum { (y[$0] - size * x[$0]) * (y[$0] - size * x[$0]) }
        let error = (max(1, residual / Double(degrees)) / square).squareRoot()
        let expected = days.indices.map { logits[$0] - y[$0] - size * (after[$0] - x[$0]) }
        return Step(day: day, size: Estimate(value: size, error: error, degrees: Double(degrees)), expected: expected)
    }

    /// The share of visits that would convert, from a step's day on, if the step had this size.
    func share(with size: Double, _ step: Step) -> Double {
        let after = days.indices.dropFirst(step.day)
        let visits = after.reduce(0.0) { $0 + Double(days[$1].visits) }
        return after.reduce(0.0) { $0 + Double(days[$1].visits) / visits * Day.share(step.expected[$1] + size) }
    }
}
