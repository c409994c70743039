/// One of the two ways of a line from the callers to the disk.
///
/// Both have lines in the ring, drops that no line reports yet, and a ``SegmentWriter`` with a file of its own. The consent at the time of
/// `record()` chooses the lane. When consent is granted, what waits on `pending` moves behind what waits on `main`, and the thread moves
/// the files; when it is denied, what waits is forgotten, and the thread erases the files. Nothing of `pending` reaches the main folder
/// before that, not even the ids of its sessions.
enum Lane: Sendable, CaseIterable {
    /// Events that may be kept. Their files lie in the writer's folder.
    case main
    /// Events for which consent is pending. Their files lie in ``PendingFolder``.
    case pending
}

/// What waits in the ring on one lane. Part of ``LineRing``.
///
/// A class, because an accessor that yields one of two values allocates memory for its frame at each event.
final class RingLane {
    /// Unchecked, as the ring's lock lets in one thread at a time: the runtime's own check costs as much as the lock.
    @exclusivity(unchecked) var lines: RingLines
    /// Drops that no line reports yet.
    var tally = DropTally()
    var tallySince: Int64 = 0
    /// How many of all the lines there ever were are past: written, dropped or forgotten.
    var done = 0

    init(capacity: Int) { lines = RingLines(capacity: capacity) }

    /// Takes over everything that waits on another lane, which is empty afterwards.
    func takeOver(_ other: RingLane) {
        other.done += other.lines.count
        lines.append(other.lines)
        other.lines.removeAll()
        if tally.isEmpty { tallySince = other.tallySince }
        tally.add(other.tally)
        other.tally = DropTally()
    }

    /// Forgets everything that waits.
    ///
    /// - Returns: how many events that was, without the writer's own lines.
    func forget() -> Int {
        let events = lines.count - lines.notes
        done += lines.count
        lines.removeAll()
        tally = DropTally()
        return events
    }
}
