import Funnels

extension Moment {
    /// Reads `2026-01-15`, `2026-01-15T08:30`, `2026-01-15 08:30:00.250Z`, `2026-01-15T08:30+01:00`, `now` and `now-7d`: the
    /// extended format of ISO 8601 with a four-digit year. A date is its first millisecond.
    ///
    /// `nil` for anything else, a day that the calendar does not have included.
    init?(_ text: String) {
        if text == "now" {
            self = .ago(0)
            return
        }
        if text.hasPrefix("now-") {
            guard let milliseconds = try? DurationText.milliseconds(String(text.dropFirst(4))) else { return nil }
            self = .ago(milliseconds)
            return
        }
        var scanner = DateScanner(text)
        guard let milliseconds = scanner.milliseconds() else { return nil }
        self = .at(milliseconds)
    }
}

/// Reads a date and time of ISO 8601 from left to right.
private struct DateScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    mutating func milliseconds() -> Int64? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"), let day = number(digits: 2),
            (1...12).contains(month), (1...Self.days(of: month, year: year)).contains(day)
        else { return nil }
        let date = Self.daysSince1970(year: year, month: month, day: day) * 86_400_000
        if rest.isEmpty { return date }
        guard take("T") || take("t") || take(" "), let time = timeOfDay(), let offset = offset(), rest.isEmpty else { return nil }
        return date + time - offset
    }

    private mutating func timeOfDay() -> Int64? {
        guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2), hour <= 23, minute <= 59 else { return nil }
        let time = hour * 3_600_000 + minute * 60_000
        guard take(":") else { return time }
        guard let second = number(digits: 2), second <= 59 else { return nil }
        guard take(".") || take(",") else { return time + second * 1000 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        // Finer than a millisecond is cut off, as it is on the lines.
        let thousandths = (digits.prefix(3) + Array(repeating: 0x30, count: max(0, 3 - digits.count)))
            .reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return time + second * 1000 + thousandths
    }

    /// The written time's distance from UTC in milliseconds, positive east of it; 0 where nothing is written.
    private mutating func offset() -> Int64? {
        if rest.isEmpty || take("Z") || take("z") { return 0 }
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hour = number(digits: 2), hour <= 23 else { return nil }
        if rest.isEmpty { return sign * hour * 3_600_000 }
        _ = take(":")
        guard let minute = number(digits: 2), minute <= 59 else { return nil }
        return sign * (hour * 3_600_000 + minute * 60_000)
    }

    private mutating func number(digits count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(of month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts whole years, then whole months.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let before = year - 1
        let leapDays = year > 0 ? before / 4 - before / 100 + before / 400 : -1
        // 719,162 days lie between 0001-01-01 and 1970-01-01.
        let yearDays = before * 365 + leapDays - 719_162
        return (1..<month).reduce(yearDays) { $0 + days(of: $1, year: year) } + day - 1
    }
}
