/// A point in time as people write it on a command line: a date, a time, or so long ago. In UTC where no offset is written.
enum Moment: Sendable, Hashable {
    /// Milliseconds since 1970 UTC.
    case at(Int64)
    /// Milliseconds before the moment of asking.
    case ago(Int64)

    /// Milliseconds since 1970 UTC; beyond what a number holds, the nearest that it does.
    func milliseconds(now: Int64) -> Int64 {
        switch self {
        case .at(let milliseconds): return milliseconds
        case .ago(let milliseconds):
            let (difference, overflow) = now.subtractingReportingOverflow(milliseconds)
            return overflow ? .min : difference
        }
    }
}
