public import Funnels

extension CalendarUnit {
    /// The unit's periods, for a run that counts by them.
    public func periods(in zone: TimeZoneRules) -> CalendarPeriods {
        CalendarPeriods {
            start(of: $0, in: zone)
        } next: {
            next(after: $0, in: zone)
        }
    }

    /// The name as a heading: `Day`.
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// How a period is called: `2026-01-15`, `2026-01-15 08:00`, `2026-01`.
    func label(of start: Int64, in zone: TimeZoneRules) -> String {
        switch self {
        case .hour: DateFormat.minute(start, in: zone)
        case .day, .week: DateFormat.day(start, in: zone)
        case .month: String(DateFormat.day(start, in: zone).dropLast(3))
        }
    }
}
