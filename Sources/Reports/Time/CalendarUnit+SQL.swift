public import Funnels

extension CalendarUnit {
    /// Without a range, a statement knows the periods from 1970 until 2070. This is their end, in milliseconds since 1970 UTC.
    private static let usualEnd: Int64 = 3_155_760_000_000

    /// The unit's periods for a statement that counts a trend.
    ///
    /// - Parameters:
    ///   - zone: whose midnights count.
    ///   - since: the earliest start, in milliseconds since 1970 UTC; if there is none, 1970, or `until` if that is earlier.
    ///   - until: the first time at which no start counts any more; 2070 if there is none.
    /// - Complexity: O(days)
    public func periodsForSQL(in zone: TimeZoneRules, since: Int64?, until: Int64?) -> SQLPeriods {
        let first = since ?? min(0, until ?? 0)
        let last = max(first, (until ?? Self.usualEnd) - 1)
        let day: Int64 = 86_400_000
        return SQLPeriods("\(rawValue), by the clocks of \(zone.name)", from: start(of: first, in: zone), through: last) { start in
            let length = next(after: start, in: zone) - start
            // Hours of a day without a change of clocks have the same length; no zone changes twice within a day.
            let areAlike = self == .hour && length == 3_600_000 && zone.offset(at: start) == zone.offset(at: start + day)
            return (length, areAlike ? 24 : 1)
        }
    }
}
