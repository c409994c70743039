import Basics

/// Dates of the proleptic Gregorian calendar, in UTC or as a time zone's clocks show them.
///
/// By hand because Foundation's formatters would cost the command half its start-up time.
package enum DateFormat {
    /// `2026-01-15`.
    package static func day(_ milliseconds: Int64, in zone: TimeZoneRules = .utc) -> String {
        date(CivilDate.floor(zone.civil(at: milliseconds), 86_400_000))
    }

    /// `2026-01-15 08:30`.
    static func minute(_ milliseconds: Int64, in zone: TimeZoneRules = .utc) -> String {
        String(second(milliseconds, in: zone).dropLast(3))
    }

    /// `2026-01-15 08:30:00`.
    package static func second(_ milliseconds: Int64, in zone: TimeZoneRules = .utc) -> String {
        let civil = zone.civil(at: milliseconds)
        let seconds = CivilDate.remainder(civil, 86_400_000) / 1000
        let time = "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        return "\(date(CivilDate.floor(civil, 86_400_000))) \(time)"
    }

    /// `2026-01-15 08:30:00`, with `.250` behind it where milliseconds are left.
    package static func exact(_ milliseconds: Int64, in zone: TimeZoneRules = .utc) -> String {
        let thousandths = CivilDate.remainder(milliseconds, 1000)
        return second(milliseconds, in: zone) + (thousandths == 0 ? "" : ".\(padded(thousandths, 3))")
    }

    /// `2026-01-15T08:30:00.250Z` (ISO 8601), always to the millisecond.
    static func iso(_ milliseconds: Int64) -> String {
        let bytes = ByteBuffer(capacity: 32)
        UTCTime.append(milliseconds: milliseconds, to: bytes)
        return String(decoding: bytes.raw, as: UTF8.self)
    }

    private static func date(_ days: Int64) -> String {
        let date = CivilDate(daysSince1970: days)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
