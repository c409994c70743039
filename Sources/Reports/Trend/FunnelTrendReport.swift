public import Funnels

/// A funnel's trend with its calendar: every period from the first with an entry to the last, empty ones too.
public struct FunnelTrendReport: Sendable, Hashable {
    /// One period.
    public struct Period: Sendable, Hashable {
        /// Its first millisecond, since 1970 UTC.
        public let startMilliseconds: Int64
        /// What began in it; `nil` if nothing did.
        public let point: FunnelTrend.Point?
        /// Whether it lies wholly in the funnel's time, and all of its starts are mature.
        public let isComplete: Bool
    }

    /// More periods than this, and empty ones are left out: one event with a wild time would make millions.
    public static let filledLimit = 10_000

    public let trend: FunnelTrend
    public let unit: CalendarUnit
    public let zone: TimeZoneRules
    public let periods: [Period]

    /// - Parameters:
    ///   - trend: whose points begin where the units of this calendar do.
    ///   - unit: how long a period is.
    ///   - zone: whose midnights count.
    public init(_ trend: FunnelTrend, every unit: CalendarUnit, in zone: TimeZoneRules) {
        self.trend = trend
        self.unit = unit
        self.zone = zone
        var periods: [Period] = []
        for point in trend.points {
            if let last = periods.last {
                var gap: [Period] = []
                var start = unit.next(after: last.startMilliseconds, in: zone)
                while start < point.startMilliseconds && periods.count + gap.count < Self.filledLimit {
                    let next = unit.next(after: start, in: zone)
                    gap.append(Period(startMilliseconds: start, point: nil, isComplete: trend.whole.isComplete(start..<next)))
                    start = next
                }
                if start >= point.startMilliseconds { periods += gap }
            }
            periods.append(Period(startMilliseconds: point.startMilliseconds, point: point, isComplete: point.isComplete))
        }
        self.periods = periods
    }

    /// How a period is called: `2026-01-15`, `2026-01-15 08:00`, `2026-01`.
    func label(_ period: Period) -> String { unit.label(of: period.startMilliseconds, in: zone) }
}
