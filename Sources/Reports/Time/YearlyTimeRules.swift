import Basics

/// When clocks change in every year: the text at the end of a time zone's file (POSIX `TZ`, RFC 9636 §3.3.1): `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyTimeRules: Sendable, Hashable {
    /// A day of the year, and the seconds from its midnight by the clock before the change: negative or beyond a day, too.
    struct Change: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// 1 to 365; the leap day is never counted.
            case withoutLeapDay(Int64)
            /// 0 to 365.
            case ofYear(Int64)
            /// The n-th such weekday of the month, Sunday being 0; 5 means the last.
            case weekday(month: Int64, week: Int64, day: Int64)
        }

        var day: Day
        var seconds: Int64 = 7200

        /// Seconds since 1970 as if the clock showed UTC.
        func civilSeconds(in year: Int64) -> Int64 {
            let newYear = CivilDate(year: year, month: 1, day: 1).daysSince1970
            let date: Int64
            switch day {
            case .withoutLeapDay(let number): date = newYear + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
            case .ofYear(let number): date = newYear + number
            case .weekday(let month, let week, let day):
                let first = CivilDate(year: year, month: month, day: 1)
                var number = 1 + CivilDate.remainder(day - first.weekday, 7) + (week - 1) * 7
                while number > CivilDate.days(of: month, year: year) { number -= 7 }
                date = first.daysSince1970 + number - 1
            }
            return date * 86_400 + seconds
        }
    }

    struct Summer: Sendable, Hashable {
        var offset: Int64
        var begins: Change
        var ends: Change
    }

    /// Seconds east of UTC while no summer time holds.
    var standard: Int64
    var summer: Summer?

    func offset(at seconds: Int64) -> Int64 {
        guard let summer else { return standard }
        let year = CivilDate(daysSince1970: CivilDate.floor(seconds + standard, 86_400)).year
        let begin = summer.begins.civilSeconds(in: year) - standard
        let end = summer.ends.civilSeconds(in: year) - summer.offset
        // South of the equator summer holds over the turn of the year.
        let isSummer = begin < end ? begin <= seconds && seconds < end : !(end <= seconds && seconds < begin)
        return isSummer ? summer.offset : standard
    }
}

extension YearlyTimeRules {
    /// Reads the text; `nil` if it does not follow its grammar.
    init?(_ text: some Sequence<UInt8>) {
        var scanner = Scanner(rest: Array(text)[...])
        guard scanner.name(), let west = scanner.time(mostHours: 24) else { return nil }
        standard = -west
        if scanner.rest.isEmpty { return }
        guard scanner.name() else { return nil }
        var offset = standard + 3600
        if scanner.rest.first != UInt8(ascii: ",") {
            guard let west = scanner.time(mostHours: 24) else { return nil }
            offset = -west
        }
        guard scanner.take(","), let begins = scanner.change(), scanner.take(","), let ends = scanner.change(), scanner.rest.isEmpty else {
            return nil
        }
        summer = Summer(offset: offset, begins: begins, ends: ends)
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// Three letters or more, or anything in angle brackets.
        mutating func name() -> Bool {
            if take("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
            rest = rest.dropFirst(letters.count)
            return letters.count >= 3
        }

        mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...3).contains(digits.count) else { return nil }
            rest = rest.dropFirst(digits.count)
            let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
            return range.contains(number) ? number : nil
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time(mostHours: Int64) -> Int64? {
            let sign: Int64 = take("-") ? -1 : 1
            if sign == 1 { _ = take("+") }
            guard var seconds = number(0...mostHours) else { return nil }
            seconds *= 3600
            for unit in [Int64(60), 1] {
                guard take(":") else { break }
                guard let number = number(0...59) else { return nil }
                seconds += number * unit
            }
            return sign * seconds
        }

        mutating func change() -> Change? {
            guard let day = day() else { return nil }
            if !take("/") { return Change(day: day) }
            return time(mostHours: 167).map { Change(day: day, seconds: $0) }
        }

        private mutating func day() -> Change.Day? {
            if take("J") { return number(1...365).map { .withoutLeapDay($0) } }
            if !take("M") { return number(0...365).map { .ofYear($0) } }
            guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6) else { return nil }
            return .weekday(month: month, week: week, day: day)
        }
    }
}
