/// The sequence numbers of a batch of lines as runs: lines of a session mostly follow each other, so there are few.
package struct SessionRuns: Sendable {
    /// Enough that a session mostly still has its slot at its next line; few enough that all slots fit in a processor's innermost cache.
    private static let slotCount = 2_048

    private let file: Int
    /// One session may have several runs, and they may overlap.
    package private(set) var runs: [SequenceRun] = []
    /// Where the clock went backwards from one line of a run to the next.
    private(set) var clockSteps = ClockSteps()
    /// The low bits of a session's fingerprint choose its slot. The slot holds 1 + the index of the last run of the session that used it
    /// last; 0 if none did. A session that lost its slot to another begins a new run.
    private var slots: [UInt32] = []

    package init(file: Int = 0) { self.file = file }

    /// Frees the memory of the slots. If a session has further lines, they begin a new run.
    package mutating func pack() { slots = [] }

    /// Runs that are known already, such as those of a summary. Callers note no lines in it.
    package init(_ runs: [SequenceRun]) { (file, self.runs) = (0, runs) }

    /// Notes one line with its number, 1 or more, and its time in milliseconds since 1970 UTC; says whether it begins a new run.
    @discardableResult
    package mutating func note(_ session: Fingerprint, sequence: Int64, time: Int64 = 0) -> Bool {
        if slots.isEmpty { slots = Array(repeating: 0, count: Self.slotCount) }
        let slot = Int(truncatingIfNeeded: session.low) & (Self.slotCount - 1)
        let run = Int(slots[slot]) &- 1
        if run >= 0 && runs[run].session == session && runs[run].high &+ 1 == sequence {
            clockSteps.note(from: runs[run].highTime, to: time)
            runs[run].high = sequence
            runs[run].highTime = time
            return false
        }
        runs.append(SequenceRun(session: session, low: sequence, high: sequence, lowTime: time, highTime: time, lowFile: file))
        slots[slot] = UInt32(truncatingIfNeeded: runs.count)
        return true
    }
}
