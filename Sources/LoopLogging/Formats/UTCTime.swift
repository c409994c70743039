import Basics

/// Times of day as RFC 3339 has them.
enum UTCTime {
    /// Appends `2025-07-20T08:26:40.123Z`.
    ///
    /// - Parameter time: counted from 1970 UTC.
    static func append(_ time: Duration, to bytes: ByteBuffer) {
        let milliseconds = time.clampedMilliseconds
        let day: Int64 = 86_400_000
        let days = milliseconds / day - (milliseconds % day < 0 ? 1 : 0)
        let rest = milliseconds - days * day
        let (year, month, dayOfMonth) = date(days)
        append(year, 4, "-", bytes)
        append(month, 2, "-", bytes)
        append(dayOfMonth, 2, "T", bytes)
        append(rest / 3_600_000, 2, ":", bytes)
        append(rest / 60_000 % 60, 2, ":", bytes)
        append(rest / 1_000 % 60, 2, ".", bytes)
        append(rest % 1_000, 3, "Z", bytes)
    }

    private static func append(_ number: Int64, _ digits: Int, _ end: StaticString, _ bytes: ByteBuffer) {
        var least: Int64 = 10
        for _ in 1..<digits {
            if number < least && number >= 0 { bytes.append("0") }
            least *= 10
        }
        JSONText.append(number, to: bytes)
        bytes.append(end)
    }

    /// Counts in years that begin in March, so that the leap day is the last one.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let sinceMarch = days.addingClamped(719_468)
        let era = (sinceMarch >= 0 ? sinceMarch : sinceMarch - 146_096) / 146_097
        let dayOfEra = sinceMarch - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}
