/// Whether a fall of a given size holds. Each day has the answer that was due at its end, computed from the days up to it and nothing else.
///
/// What is expected of a day follows from its weekday and the days until a week before. Its score is a week's evidence that there is such
/// a fall: a CUSUM of log likelihood ratios, which restarts at 0 where it would be negative. A fall below half the size lowers it.
package struct TrendAlert: Sendable, Hashable {
    package struct Day: Sendable, Hashable {
        package let startMilliseconds: Int64
        package let score: Double
        /// The share that was to be expected, 0…1.
        package let expected: Double
        package var holds: Bool { score > TrendAlert.threshold }
    }

    /// Without a fall, a score exceeds this in at most one of twenty months.
    package static let threshold = 5.0
    private static let (lookBack, leastBaseline, mostBaseline) = (7, 14, 28)

    /// The fall that is looked for, as a fraction of the expected share, 0…1.
    package let drop: Double
    /// The days with enough days before them, by time.
    package let days: [Day]
    /// The smallest fall that two days as large as the last can show, as a part of the expected share; above 1 none. `nil` without days.
    package let shownInTwoDays: Double?

    package var holds: Bool { days.last?.holds ?? false }

    /// When the run of days on which the fall holds began, if it reaches the last day; else `nil`.
    package var sinceMilliseconds: Int64? { days.reversed().prefix { $0.holds }.last?.startMilliseconds }

    package init(_ trend: FunnelTrend, drop: Double) {
        let daily = trend.definition.counting == .visits ? DailyTrend(trend) : DailyTrend([])
        self.init(daily.days, drop: drop, clustering: daily.clustering(of: trend.whole.visits?.cells ?? []))
    }

    /// - Parameter clustering: for each day ``DailyTrend/clustering(of:)``; without it all visits are independent.
    init(_ all: [DailyTrend.Day], drop: Double, clustering: [Double] = []) {
        self.drop = drop
        var (days, shown): ([Day], Double?) = ([], nil)
        for (index, day) in all.enumerated() {
            let before = all[..<index].prefix { $0.start <= day.start - Int64(Self.lookBack) * DayCounts.length + DayCounts.length / 2 }
            guard before.count >= Self.leastBaseline else { continue }
            let baseline = Baseline(before.suffix(Self.mostBaseline), leastSpread: clustering.isEmpty ? 1 : clustering[index])
            var score = 0.0
            for one in all[before.endIndex...index] {
                let (mean, variance) = baseline.expected(one.weekday)
                let share = DailyTrend.Day.share(mean)
                let size = mean - DailyTrend.Day.logit(share * (1 - drop))
                let spread = baseline.spread / (Double(one.visits) * share * (1 - share)) + variance
                score = max(0, score + (-(one.logit - mean) * size - size * size / 2) / spread)
            }
            let share = DailyTrend.Day.share(baseline.expected(day.weekday).mean)
            days.append(Day(startMilliseconds: day.start, score: score, expected: share))
            shown = 0.2 * (500 * baseline.spread * (1 - share) / (Double(day.visits) * share)).squareRoot()
        }
        (self.days, shownInTwoDays) = (days, shown)
    }

    /// What earlier days say of a day: its weekday's mean, drawn towards the mean of all days; the less weekdays differ, the closer to it.
    private struct Baseline {
        private let mean: Double
        private let variance: Double
        /// For each weekday its mean, drawn that way, and the variance of that; `nil` if it did not occur, or if no weekday differs.
        private var weekdays: [(mean: Double, variance: Double)?]
        /// The factor by which days vary more than by chance: at least that of users' visits, and rather estimated too high than too low.
        let spread: Double

        init(_ days: ArraySlice<DailyTrend.Day>, leastSpread: Double) {
            let whole = days.reduce(0) { $0 + $1.weight }
            let mean = days.reduce(0) { $0 + $1.weight * $1.logit } / whole
            var (weights, sums) = (Array(repeating: 0.0, count: 7), Array(repeating: 0.0, count: 7))
            for day in days {
                weights[day.weekday] += day.weight
                sums[day.weekday] += day.weight * day.logit
            }
            let used = weights.indices.filter { weights[$0] > 0 }
            func residual(_ fit: (Int) -> Double) -> Double {
                days.reduce(0) { $0 + $1.weight * ($1.logit - fit($1.weekday)) * ($1.logit - fit($1.weekday)) }
            }
            // The variance between weekdays beyond what the spread within them makes (DerSimonian and Laird 1986).
            let within: (residual: Double, degrees: Int) = (residual { sums[$0] / weights[$0] }, days.count - used.count)
            let noise = max(1, within.residual / Double(max(within.degrees, 1)))
            let between = used.reduce(0) { $0 + weights[$1] * (sums[$1] / weights[$1] - mean) * (sums[$1] / weights[$1] - mean) } / noise
            let scale = (whole - used.reduce(0) { $0 + weights[$1] * weights[$1] } / whole) / noise
            let apart = scale > 0 ? max(0, (between - Double(used.count - 1)) / scale) : 0
            weekdays = Array(repeating: nil, count: 7)
            for weekday in used where apart > 0 {
                let variance = noise / weights[weekday]
                let share = apart / (apart + variance)
                weekdays[weekday] = (mean + share * (sums[weekday] / weights[weekday] - mean), share * variance)
            }
            // Around the weekdays' own means: residuals around means drawn together are too large for these degrees of freedom.
            let rest: (residual: Double, degrees: Int) = apart > 0 ? within : (residual { _ in mean }, days.count - 1)
            spread = max(leastSpread, rest.residual / ChiSquare.tenth(degrees: max(rest.degrees, 1)))
            self.mean = mean
            variance = spread / whole
        }

        /// The logit that is expected of a weekday's share, and its variance.
        func expected(_ weekday: Int) -> (mean: Double, variance: Double) {
            (weekdays[weekday]?.mean ?? mean, (weekdays[weekday]?.variance ?? 0) + variance)
        }
    }
}
