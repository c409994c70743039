import Basics
import Funnels
import Reports

extension Moment {
    /// Reads `2026-01-15`, `2026-01-15T08:30`, `2026-01-15 08:30:00.250Z`, `2026-01-15T08:30+01:00`, `now` and `now-7d`: the
    /// extended format of ISO 8601 with a four-digit year. A date is its first millisecond.
    ///
    /// `nil` for anything else, such as a day that the calendar does not have.
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
        guard let moment = scanner.moment() else { return nil }
        self = moment
    }
}

/// Reads a date and time of ISO 8601 from left to right.
private struct DateScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    mutating func moment() -> Moment? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"), let day = number(digits: 2),
            (1...12).contains(month), (1...CivilDate.days(of: month, year: year)).contains(day)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day).daysSince1970 * 86_400_000
        if rest.isEmpty { return .civil(date) }
        guard take("T") || take("t") || take(" "), let time = timeOfDay() else { return nil }
        if rest.isEmpty { return .civil(date + time) }
        guard let offset = offset(), rest.isEmpty else { return nil }
        return .at(date + time - offset)
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
        // Digits finer than a millisecond are cut off, as in event lines.
        let thousandths = (digits.prefix(3) + Array(repeating: 0x30, count: max(0, 3 - digits.count)))
            .reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return time + second * 1000 + thousandths
    }

    /// The offset from UTC in milliseconds, positive to the east.
    private mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
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
}
