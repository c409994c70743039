public import Funnels

/// A funnel's trend with its calendar: every period from the first with an entry to the last, empty ones too.
public struct FunnelTrendResult: Sendable {
    public struct Period: Sendable, Hashable {
        /// Its first millisecond, since 1970 UTC.
        public let startMilliseconds: Int64
        /// What began in it; `nil` if nothing did.
        public let point: FunnelTrend.Point?
        /// Whether it lies wholly in the funnel's time, and all of its starts are mature.
        public let isComplete: Bool
    }

    /// Beyond this many periods, empty ones are left out: one event with a wildly wrong time would make millions.
    public static let filledLimit = 10_000

    public let trend: FunnelTrend
    public let unit: CalendarUnit
    public let zone: TimeZoneRules
    public let periods: [Period]
    /// For each period, that of the other time which lies as far from its time's beginning; empty if nothing is compared.
    public let compared: [Period?]
    /// A day on which something happened, and its name: drawn as a line, and asked whether the conversion changed on it.
    public struct Mark: Sendable, Hashable {
        /// When the day begins, in milliseconds since 1970 UTC.
        public let milliseconds: Int64
        /// From whoever asks.
        public let label: String

        public init(at milliseconds: Int64, _ label: String) { (self.milliseconds, self.label) = (milliseconds, label) }
    }

    package let marks: [(mark: Mark, change: TrendClaim)]
    /// Whether the conversion fell or rose; `nil` if periods are not days.
    package let verdict: TrendClaim?
    /// Whether a fall holds, if that is asked; `nil` if periods are not days.
    package let alert: TrendAlert?

    /// - Parameters:
    ///   - trend: whose points begin where the units of this calendar do.
    ///   - unit: how long a period is.
    ///   - zone: whose midnights count.
    ///   - other: the same funnel in another time, to compare with.
    ///   - marks: days on which something happened, for a trend by days.
    ///   - drop: the fall that is looked for at the last day, as a fraction of the expected share, 0…1; `nil` for none.
    public init(
        _ trend: FunnelTrend, every unit: CalendarUnit, in zone: TimeZoneRules, comparedWith other: FunnelTrend? = nil, marks: [Mark] = [],
        drop: Double? = nil
    ) {
        (self.trend, self.unit, self.zone) = (trend, unit, zone)
        let isDaily = unit == .day
        verdict = isDaily ? trend.verdict : nil
        self.marks = isDaily ? Array(zip(marks, trend.changes(at: marks.map(\.milliseconds)))) : []
        alert = isDaily ? drop.map { TrendAlert(trend, drop: $0) } : nil
        let calendar = unit.periods(in: zone)
        let (own, others) = (Self.filled(trend, calendar), other.map { Self.filled($0, calendar) } ?? [])
        /// How many periods lie between the beginning of the funnel's time and its first entry.
        func offset(_ periods: [Period], _ trend: FunnelTrend) -> Int {
            guard let since = trend.definition.since, let first = periods.first?.startMilliseconds else { return 0 }
            let starts = sequence(first: unit.start(of: since, in: zone)) { unit.next(after: $0, in: zone) }
            return starts.prefix(Self.filledLimit).prefix { $0 < first }.count
        }
        // The two times are aligned at their beginnings.
        let shift = other.map { offset(own, trend) - offset(others, $0) }
        periods = own
        compared = shift.map { shift in own.indices.map { others.indices.contains($0 + shift) ? others[$0 + shift] : nil } } ?? []
    }

    private static func filled(_ trend: FunnelTrend, _ calendar: CalendarPeriods) -> [Period] {
        var periods: [Period] = []
        for point in trend.points {
            if let last = periods.last?.startMilliseconds {
                let gap = calendar.between(last, point.startMilliseconds, atMost: max(filledLimit - periods.count, 0)) ?? []
                periods += gap.map { Period(startMilliseconds: $0, point: nil, isComplete: trend.whole.isComplete($0..<calendar.next($0))) }
            }
            periods.append(Period(startMilliseconds: point.startMilliseconds, point: point, isComplete: point.isComplete))
        }
        return periods
    }

    func label(_ period: Period) -> String { unit.label(of: period.startMilliseconds, in: zone) }
}
