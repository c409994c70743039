import Basics
import TrackingEvents

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
    /// The copy that survives the process, where there is one.
    @exclusivity(unchecked) var file: RingFile?

    init(capacity: Int) { lines = RingLines(capacity: capacity) }

    /// Whether the copy has room for a line.
    @inline(__always)
    func hasRoom(for length: Int, isMeta: Bool) -> Bool {
        guard let file else { return true }
        return file.hasRoom(for: length, isMeta: isMeta)
    }

    /// Counts the line that was appended to the bytes of ``lines``, and copies it.
    ///
    /// - Parameter start: where it begins there.
    @inline(__always)
    func lineAdded(from start: Int, isNote: Bool, reportsDrops: Bool = false, at now: @autoclosure () -> Int64) {
        lines.lineAdded(isNote: isNote, at: now())
        guard let file = file.map(Unmanaged.passUnretained) else { return }
        let bytes = lines.bytes
        // The lane keeps the file alive. A retain and a release behind the copy would wait until all its stores are in the cache.
        file._withUnsafeGuaranteedRef {
            $0.append(UnsafeRawBufferPointer(start: bytes.base + start, count: bytes.count &- start), reportsDrops: reportsDrops)
        }
    }

    /// Removes the oldest line that is no meta line; meta lines before it move to the end.
    ///
    /// The drop is counted before the copy loses the line: a kill in between must not lose an event that nothing names.
    ///
    /// - Parameter inHand: how many lines of the copy the thread has in hand.
    /// - Returns: the line, or `nil` if all are meta lines, or one cannot be moved.
    func dropOldest(_ reason: DropReason, inHand: Int) -> EncodedLine? {
        for _ in 0..<lines.count {
            let line = lines.oldest
            let head = EncodedLine(line)
            if head.isMeta, let file {
                guard file.hasRoom(for: line.count, isMeta: true) else { return nil }
                file.append(UnsafeRawBufferPointer(line))
            }
            if !head.isMeta { file?.add(reason, session: head.session) }
            file?.dropOldest(inHand: inHand)
            lines.passOldest(keeping: head.isMeta)
            if !head.isMeta {
                done += 1
                return head
            }
        }
        return nil
    }

    /// Makes the copy anew, with the lines in the order in which they wait.
    func copyAgain() {
        file?.replace(bytes: lines.byteCount, count: lines.count) { body in
            lines.forEach(from: 0) { body(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Takes over everything that waits on another lane, which is empty afterwards.
    ///
    /// The other's copy stays as it is if there is none here.
    ///
    /// - Parameter inHand: how many lines of the other's copy the thread has in hand.
    func takeOver(_ other: RingLane, inHand: Int) {
        other.done += other.lines.count
        let before = lines.byteCount
        lines.append(other.lines)
        if let file {
            lines.forEach(from: before) { file.append(UnsafeRawBufferPointer($0)) }
            // Before the other forgets them: a kill in between must not lose drops that nothing reports.
            file.add(other.tally)
            other.file?.removeUntaken(inHand: inHand)
        }
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
        file?.removeAll()
        return events
    }
}
