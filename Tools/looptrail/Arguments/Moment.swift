import Reports

/// A point in time as people write it on a command line: a date, a time, or a duration ago.
enum Moment: Sendable, Hashable {
    /// A time with an offset: milliseconds since 1970 UTC.
    case at(Int64)
    /// A time without an offset: milliseconds since 1970 as if it were UTC. `--tz` says which moment that is.
    case civil(Int64)
    /// Milliseconds before the time of the call.
    case ago(Int64)

    /// Milliseconds since 1970 UTC. On overflow it is the least number that there is. `now` is asked for by ``ago(_:)`` alone.
    func milliseconds(now: @autoclosure () -> Int64, zone: TimeZoneRules = .utc) -> Int64 {
        switch self {
        case .civil(let civil): return zone.moment(ofCivil: civil)
        case .at(let milliseconds): return milliseconds
        case .ago(let milliseconds):
            let (difference, overflow) = now().subtractingReportingOverflow(milliseconds)
            return overflow ? .min : difference
        }
    }
}
