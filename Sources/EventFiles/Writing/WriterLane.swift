/// One of the two ways from the callers to the disk, with what waits on it. Part of ``WriterState``, and reached under its lock alone.
///
/// A class, so that to choose between the two costs an event nothing: an accessor that yields one of two values takes memory for its frame.
final class WriterLane {
    enum Name: Sendable, CaseIterable {
        /// To the folder.
        case main
        /// To ``Spool``: lines of events for which consent is pending.
        case spool
    }

    /// What is to become of the lines that the thread has in hand, should it not get them written.
    enum Fate {
        case putBack
        /// Consent was granted meanwhile.
        case moveToMain
        /// Consent was denied meanwhile, or everything is to be erased.
        case forget
    }

    var pending: PendingLines
    /// Drops that no line on this lane has told yet: whose events are apart, their sessions are, too.
    var tally = DropTally()
    var tallySince: Int64 = 0
    /// How many of all the lines there ever were are past: written, dropped or forgotten.
    var done = 0

    init(pending: PendingLines) { self.pending = pending }

    /// Takes over everything that waits on another lane, which is empty then.
    func takeOver(_ other: WriterLane) {
        other.done += other.pending.lines
        pending.append(other.pending)
        other.pending.removeAll()
        if tally.isEmpty { tallySince = other.tallySince }
        tally.add(other.tally)
        other.tally = DropTally()
    }

    /// Forgets everything that waits.
    ///
    /// - Returns: how many events it was, the writer's own lines left out.
    func forget() -> Int {
        let events = pending.lines - pending.notes
        done += pending.lines
        pending.removeAll()
        tally = DropTally()
        return events
    }
}
