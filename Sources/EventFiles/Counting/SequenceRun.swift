/// Sequence numbers of one session that follow each other without a gap, with the time of the first line and of the last.
package struct SequenceRun: Sendable, Hashable, BitwiseCopyable {
    package var session: Fingerprint
    package var low: Int64
    package var high: Int64
    /// Milliseconds since 1970 UTC.
    package var lowTime: Int64
    package var highTime: Int64
    package var lowFile: Int32
    /// The session's index in the order in which sessions were first seen; ``SequenceLedger`` sets it.
    var order: Int32 = 0

    package init(session: Fingerprint, low: Int64, high: Int64, lowTime: Int64 = 0, highTime: Int64 = 0, lowFile: Int = 0) {
        (self.session, self.low, self.high) = (session, low, high)
        (self.lowTime, self.highTime) = (lowTime, highTime)
        self.lowFile = Int32(truncatingIfNeeded: lowFile)
    }

    mutating func extend(by later: SequenceRun) { (high, highTime) = (later.high, later.highTime) }
}

/// A clock that went backwards between two lines of one session that follow each other by number.
struct ClockSteps: Sendable {
    var count = 0
    /// Milliseconds.
    var largest: Int64 = 0

    mutating func note(from earlier: Int64, to later: Int64) {
        guard later < earlier else { return }
        count += 1
        largest = max(largest, earlier.subtractingReportingOverflow(later).overflow ? .max : earlier - later)
    }
}
