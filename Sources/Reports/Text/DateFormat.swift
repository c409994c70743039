/// Dates of the proleptic Gregorian calendar in UTC.
///
/// By hand because Foundation's formatters would cost the command half its start-up time.
package enum DateFormat {
    /// `2026-01-15`.
    package static func day(_ milliseconds: Int64) -> String {
        let (days, _) = split(milliseconds)
        let (year, month, day) = civil(days)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// `2026-01-15 08:30:00`.
    static func second(_ milliseconds: Int64) -> String {
        let (_, rest) = split(milliseconds)
        let seconds = rest / 1000
        return "\(day(milliseconds)) \(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    }

    /// `2026-01-15 08:30:00`, and `.250` behind it where it is no whole second.
    static func exact(_ milliseconds: Int64) -> String {
        let thousandths = split(milliseconds).rest % 1000
        return second(milliseconds) + (thousandths == 0 ? "" : ".\(padded(thousandths, 3))")
    }

    /// `2026-01-15T08:30:00.250Z` (ISO 8601), always to the millisecond.
    static func iso(_ milliseconds: Int64) -> String {
        let (date, time) = (day(milliseconds), second(milliseconds).suffix(8))
        return "\(date)T\(time).\(padded(split(milliseconds).rest % 1000, 3))Z"
    }

    private static func split(_ milliseconds: Int64) -> (days: Int64, rest: Int64) {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        return remainder < 0 ? (quotient - 1, remainder + 86_400_000) : (quotient, remainder)
    }

    /// The date of a day counted from 1970-01-01.
    ///
    /// A year is taken to begin in March, so that the leap day is its last one; 400 such years are always 146,097 days.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let sinceMarch = days + 719_468
        let cycle = sinceMarch >= 0 ? sinceMarch / 146_097 : (sinceMarch - 146_096) / 146_097
        let ofCycle = sinceMarch - cycle * 146_097
        let yearOfCycle = (ofCycle - ofCycle / 1460 + ofCycle / 36_524 - ofCycle / 146_096) / 365
        let ofYear = ofCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let marchMonth = (5 * ofYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
