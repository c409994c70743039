import Basics

/// The days of a trend as logits, with how much each weighs and which weekday it is: what the verdict and the alert are made of.
struct DailyTrend {
    struct Day: Sendable {
        /// In milliseconds since 1970 UTC.
        let start: Int64
        let visits: Int
        let converted: Int
        let weekday: Int

        /// The share, drawn a little to the middle so that it has a logit.
        var share: Double { (Double(converted) + 0.5) / (Double(visits) + 1) }
        var logit: Double { Self.logit(share) }
        var weight: Double { Double(visits) * share * (1 - share) }

        static func logit(_ share: Double) -> Double { log(share / (1 - share)) }
        static func share(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
    }

    /// A step in the logit from one day on.
    struct Step {
        /// The first day after it.
        let day: Int
        let size: Double
        let error: Double
        let degrees: Double
        /// For each day the share that it would have without the step.
        let expected: [Double]

        var pValue: Double { StudentT.pValue(size / error, degrees: degrees) }
    }

    /// Days with visits that the data cover and whose starts are mature, by time.
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

    /// The step at a day, with weekdays held equal; `nil` where too few days are left to see how they differ.
    ///
    /// - Complexity: O(days).
    func step(at day: Int) -> Step? {
        var sums = Array(repeating: (weight: 0.0, after: 0.0, logit: 0.0), count: 7)
        for (index, one) in days.enumerated() {
            sums[one.weekday].weight += one.weight
            sums[one.weekday].logit += one.weight * one.logit
            if index >= day { sums[one.weekday].after += one.weight }
        }
        let weekdays = sums.count { $0.weight > 0 }
        let degrees = days.count - weekdays - 1
        guard degrees > 0 else { return nil }
        let centred = days.enumerated().map { index, one -> (weight: Double, after: Double, logit: Double) in
            let sum = sums[one.weekday]
            return (one.weight, (index >= day ? 1 : 0) - sum.after / sum.weight, one.logit - sum.logit / sum.weight)
        }
        let square = centred.reduce(0) { $0 + $1.weight * $1.after * $1.after }
        guard square > 1e-9 else { return nil }
        let size = centred.reduce(0) { $0 + $1.weight * $1.after * $1.logit } / square
        let residual = centred.reduce(0) { $0 + $1.weight * ($1.logit - size * $1.after) * ($1.logit - size * $1.after) }
        let spread = max(1, residual / Double(degrees))
        let expected = days.map { one in
            let sum = sums[one.weekday]
            return Day.share((sum.logit - size * sum.after) / sum.weight)
        }
        return Step(day: day, size: size, error: (spread / square).squareRoot(), degrees: Double(degrees), expected: expected)
    }

    /// By how much a step of some size changes the share of the visits from its day on.
    func points(of size: Double, _ step: Step) -> Double {
        let after = days.indices.dropFirst(step.day)
        let visits = after.reduce(0.0) { $0 + Double(days[$1].visits) }
        return after.reduce(0.0) { sum, day in
            let base = step.expected[day]
            return sum + Double(days[day].visits) / visits * (Day.share(Day.logit(base) + size) - base)
        }
    }

    /// The share that the visits from a step's day on would have without it.
    func expected(_ step: Step) -> Double {
        let after = days.indices.dropFirst(step.day)
        return after.reduce(0.0) { $0 + Double(days[$1].visits) * step.expected[$1] } / after.reduce(0.0) { $0 + Double(days[$1].visits) }
    }
}
