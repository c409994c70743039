import Reports

/// A point in time as people write it on a command line: a date, a time, or so long ago.
enum Moment: Sendable, Hashable {
    /// With an offset: milliseconds since 1970 UTC.
    case at(Int64)
    /// Without one: the date and time as if they were UTC, in milliseconds since 1970. `--tz` says which moment that is.
    case civil(Int64)
    /// Milliseconds before the moment of asking.
    case ago(Int64)

    /// Milliseconds since 1970 UTC; beyond what a number holds, the nearest that it does.
    func milliseconds(now: Int64, zone: TimeZoneRules = .utc) -> Int64 {
        switch self {
        case .civil(let civil): return zone.moment(ofCivil: civil)
        case .at(let milliseconds): return milliseconds
        case .ago(let milliseconds):
            let (difference, overflow) = now.subtractingReportingOverflow(milliseconds)
            return overflow ? .min : difference
        }
    }
}
