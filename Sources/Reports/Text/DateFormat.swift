import Basics

/// Dates of the proleptic Gregorian calendar, in UTC or as a time zone's clocks show them.
///
/// Written by hand because Foundation's formatters would cost the command half its start-up time.
package enum DateFormat {
    /// `2026-01-15`.
    package static func day(_ milliseconds: Int64, in zone: TimeZoneRules = .utc) -> String {
        String(second(milliseconds, in: zone).prefix { $0 != " " })
    }

    /// `2026-01-15 08:30:00`.
    package static func second(_ milliseconds: Int64, in zone: TimeZoneRules = .utc) -> String {
        String(iso(zone.civil(at: milliseconds)).dropLast(5)).replacing("T", with: " ")
    }

    /// `2026-01-15 08:30:00`, with `.250` behind it where milliseconds are left.
    package static func exact(_ milliseconds: Int64, in zone: TimeZoneRules = .utc) -> String {
        let thousandths = iso(milliseconds).suffix(5).dropLast()
        return second(milliseconds, in: zone) + (thousandths == ".000" ? "" : thousandths)
    }

    /// `2026-01-15T08:30:00.250Z` (ISO 8601), always to the millisecond.
    static func iso(_ milliseconds: Int64) -> String {
        ByteBuffer.text(capacity: 32) { UTCTime.append(milliseconds: milliseconds, to: $0) }
    }
}
