/// The sequence numbers of a batch of lines as runs: events of a session mostly follow each other, within a batch too, so that there are
/// few runs where there are many lines.
struct SessionRuns: Sendable {
    /// Numbers that follow each other in one session.
    struct Run: Sendable, Hashable {
        /// Fingerprint of the session's id.
        var session: UInt64
        var low: Int64
        var high: Int64
    }

    /// Sessions of this many events ago are mostly still found, and it lies in a processor's innermost cache.
    private static var slotCount: Int { 2_048 }

    /// One session may have several, and they may overlap.
    private(set) var runs: [Run] = []
    /// For some bits of a session's fingerprint the number + 1 of the run that was last noted with them, or 0. A session that loses its
    /// slot to another begins a new run.
    private var slots: [UInt32] = []

    /// Notes one line.
    ///
    /// - Parameters:
    ///   - session: never 0.
    ///   - sequence: 1 or more.
    @inline(__always)
    mutating func note(session: UInt64, sequence: Int64) {
        if slots.isEmpty { slots = Array(repeating: 0, count: Self.slotCount) }
        let slot = Int(truncatingIfNeeded: session) & (Self.slotCount - 1)
        let run = Int(slots[slot]) &- 1
        if run >= 0 && runs[run].session == session && runs[run].high &+ 1 == sequence {
            runs[run].high = sequence
            return
        }
        runs.append(Run(session: session, low: sequence, high: sequence))
        slots[slot] = UInt32(truncatingIfNeeded: runs.count)
    }
}
