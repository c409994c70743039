/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Sendable, Hashable {
    package var year: Int64
    /// 1 for January.
    package var month: Int64
    /// 1 for the first.
    package var day: Int64

    package init(year: Int64, month: Int64, day: Int64) { (self.year, self.month, self.day) = (year, month, day) }

    /// The date that is `days` days after 1970-01-01.
    ///
    /// A year is taken to begin in March, so that the leap day is its last one; 400 such years are always 146,097 days.
    package init(daysSince1970 days: Int64) {
        let sinceMarch = days + 719_468
        let cycle = sinceMarch >= 0 ? sinceMarch / 146_097 : (sinceMarch - 146_096) / 146_097
        let ofCycle = sinceMarch - cycle * 146_097
        let yearOfCycle = (ofCycle - ofCycle / 1460 + ofCycle / 36_524 - ofCycle / 146_096) / 365
        let ofYear = ofCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let marchMonth = (5 * ofYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0)
        day = ofYear - (153 * marchMonth + 2) / 5 + 1
    }

    /// Days from 1970-01-01 to this date, negative before it.
    package var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let marchMonth = month <= 2 ? month + 9 : month - 3
        let leapDays = Self.floor(marchYear, 4) - Self.floor(marchYear, 100) + Self.floor(marchYear, 400)
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 1 - 719_468
    }

    /// 0 for Sunday.
    package var weekday: Int64 { Self.remainder(daysSince1970 + 4, 7) }

    package static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    package static func days(of month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The quotient rounded down, also below zero.
    package static func floor(_ number: Int64, _ size: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: size)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The remainder of ``floor(_:_:)``: never negative.
    package static func remainder(_ number: Int64, _ size: Int64) -> Int64 {
        let remainder = number % size
        return remainder < 0 ? remainder + size : remainder
    }
}
