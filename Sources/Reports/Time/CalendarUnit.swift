import Basics
public import Funnels

/// A span of the calendar: what a trend is divided into.
public enum CalendarUnit: String, Sendable, Hashable, CaseIterable {
    case hour
    case day
    /// From Monday on, as ISO 8601 has it.
    case week
    case month

    /// The beginning of the unit that holds a moment, both in milliseconds since 1970 UTC. The midnights of `zone` count.
    public func start(of milliseconds: Int64, in zone: TimeZoneRules) -> Int64 {
        let civil = zone.civil(at: milliseconds)
        // Hours go by the offset in force: where clocks are set back, the same hour comes twice and counts as two. Where they are set by
        // half an hour, an hour ends at the change and the next one begins.
        if self == .hour {
            let start = milliseconds - CivilDate.remainder(civil, 3_600_000)
            return zone.firstChange(after: start, before: milliseconds + 1) ?? start
        }
        return zone.moment(ofCivil: firstDay(of: CivilDate.floor(civil, 86_400_000)) * 86_400_000)
    }

    /// The beginning of the unit after the one that begins at `start`.
    public func next(after start: Int64, in zone: TimeZoneRules) -> Int64 {
        if self == .hour {
            let next = start + 3_600_000 - CivilDate.remainder(zone.civil(at: start), 3_600_000)
            return zone.firstChange(after: start, before: next) ?? next
        }
        // Midnight may be skipped, so that the unit begins at one in the morning: the date counts.
        let days = CivilDate.floor(zone.civil(at: start), 86_400_000)
        let next =
            switch self {
            case .hour, .day: days + 1
            case .week: days + 7
            case .month: firstDay(of: firstDay(of: days) + 31)
            }
        return zone.moment(ofCivil: next * 86_400_000)
    }

    /// The unit that holds a moment, both in milliseconds since 1970 UTC. The midnights of `zone` count.
    public func period(of milliseconds: Int64, in zone: TimeZoneRules) -> Range<Int64> {
        let start = start(of: milliseconds, in: zone)
        return start..<max(next(after: start, in: zone), milliseconds + 1)
    }

    /// The unit's periods, for a run that counts by them.
    public func periods(in zone: TimeZoneRules) -> CalendarPeriods {
        CalendarPeriods(start: { start(of: $0, in: zone) }, next: { next(after: $0, in: zone) })
    }

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// What a period is called: `2026-01-15`, `2026-01-15 08:00`, `2026-01`. An hour that clocks show twice has its offset from UTC, too.
    func label(of start: Int64, in zone: TimeZoneRules) -> String {
        switch self {
        case .hour:
            let offset = zone.offset(at: start)
            // When clocks with the offset of the day before or after show the same.
            let others = [-86_400_000, 86_400_000].map { start.addingClamped(offset - zone.offset(at: start.addingClamped($0))) }
            let isTwice = others.contains { $0 != start && zone.civil(at: $0) == zone.civil(at: start) }
            let distance = (offset < 0 ? " -" : " +") + DateFormat.iso(abs(offset)).dropFirst(11).prefix(5)
            return "\(DateFormat.second(start, in: zone).dropLast(3))\(isTwice ? distance : "")"
        case .day, .week: return DateFormat.day(start, in: zone)
        case .month: return String(DateFormat.day(start, in: zone).dropLast(3))
        }
    }

    private func firstDay(of days: Int64) -> Int64 {
        switch self {
        case .hour, .day: days
        case .week: days - CivilDate.remainder(days + 3, 7)
        case .month: days - CivilDate(daysSince1970: days).day + 1
        }
    }
}
