import Basics
import TrackingEvents

/// One of the two ways of a line from the callers to the disk.
///
/// Each has a ring of lines, drops that no line reports yet, and a ``SegmentWriter`` with a file of its own. The consent at the time of
/// `record()` chooses the lane. A grant hands lines of `pending` that wait in memory to `main`; others go to the files of `pending`, and these
/// move. A denial forgets what waits and erases the files. Nothing of `pending` reaches the main folder before a grant, not even a session's id.
enum Lane: Sendable, CaseIterable {
    /// Events that may be kept. Their files lie in the writer's folder.
    case main
    /// Events for which consent is pending. Their files lie in ``PendingFolder``.
    case pending
}

/// What waits on one lane. Part of ``LineRing``.
///
/// A class, because an accessor that yields one of two values allocates memory for its frame at each event.
final class RingLane {
    /// Unchecked, as the ring's lock lets in one thread at a time: the runtime's own check costs as much as the lock.
    @exclusivity(unchecked) private(set) var ring = Ring()
    /// How many lines wait, those in the thread's hand included, and their bytes.
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private(set) var byteCount = 0
    @exclusivity(unchecked) private(set) var added = 0
    /// How many lines no longer wait here: written, dropped, forgotten, moved to the other lane or left in a file.
    private(set) var done = 0
    /// When the oldest line came, or the last write of this lane ended, on the monotonic clock.
    private(set) var since: Int64 = 0
    /// The positions of the lines that the writer made itself.
    private var notePositions: [Int] = []
    var tally = DropTally()
    var tallySince: Int64 = 0
    /// How many bytes of the first line are written: a line of a log may be longer than a member.
    private var writtenOfFirst = 0
    /// No line before this position can be dropped.
    private var keptUpTo = 0

    var notes: Int { notePositions.count }
    /// Whether nothing waits, and lines report all drops.
    var isIdle: Bool { count == 0 && tally.isEmpty }

    /// Puts a line behind the others. A line that `reportsDrops` reports all drops of the lane.
    @inline(__always)
    func append(_ line: ByteBuffer, isNote: Bool, reportsDrops: Bool = false, at now: @autoclosure () -> Int64) {
        if count == 0 { since = now() }
        count &+= 1
        added &+= 1
        byteCount &+= line.count
        if isNote { notePositions.append(ring.end) }
        // The lane keeps the ring alive. A retain and a release behind the copy would wait until all its stores are in the cache.
        Unmanaged.passUnretained(ring)._withUnsafeGuaranteedRef { $0.append(line.raw, reportsDrops: reportsDrops) }
        if ring.written != nil { ring.isBehind(at: now()) }
    }

    /// Moves everything to another ring; `false` if there is no room for it.
    func move(to other: Ring) -> Bool {
        guard other.takeOver(ring) else { return false }
        other.add(tally)
        ring = other
        return true
    }

    /// Takes over what waits on another lane; `false`, and nothing is done, if that is in a file or partly written, or there is no room.
    func takeOver(_ other: RingLane) -> Bool {
        guard other.ring.file == nil, other.writtenOfFirst == 0, ring.hasRoom(forAllOf: other.ring) else { return false }
        let oldest = count == 0 ? other.since : since
        let line = ByteBuffer(capacity: 1_024)
        other.ring.forEachLine { at, length in
            line.removeAll()
            other.ring.copy(0..<length, ofLineAt: at, to: line)
            append(line, isNote: other.notePositions.contains(at), at: oldest)
        }
        since = oldest
        other.removeAll()
        return true
    }

    /// What the next member holds; `nil` where nothing is left before `end`.
    func nextMember(before end: Int, to bytes: ByteBuffer) -> (end: Int, lines: Int, notes: Int)? {
        releaseDropped()
        var (at, lines) = (ring.start, 0)
        while at < end {
            let frame = ring.frame(at: at)
            if !frame.isDropped {
                let first = lines == 0 ? writtenOfFirst : 0
                let fits = bytes.count + frame.length - first <= BGZF.rawLimit
                if !fits && lines > 0 { break }
                ring.copy(first..<(fits ? frame.length : first + BGZF.rawLimit), ofLineAt: at, to: bytes)
                if !fits { return (ring.start, 0, 0) }
                lines += 1
            }
            at = frame.end
        }
        return lines == 0 ? nil : (at, lines, notePositions.count { $0 < at })
    }

    func written(_ hand: LineRing.InHand, at now: Int64) {
        byteCount -= hand.bytes
        since = now
        if hand.lines == 0 {
            writtenOfFirst += hand.bytes
            return
        }
        writtenOfFirst = 0
        count -= hand.lines
        done += hand.lines
        notePositions.removeFirst(hand.notes)
        ring.release(upTo: hand.end)
        if count == 0 { ring.restart() }
    }

    /// Frees the places of dropped lines at the front, while the thread has no line in hand.
    private func releaseDropped() {
        while ring.start < ring.end, case let first = ring.frame(at: ring.start), first.isDropped { ring.release(upTo: first.end) }
    }

    func failed(at now: Int64) { (since, keptUpTo) = (now, 0) }

    /// Removes the oldest line that is not in the thread's hand and is no meta line. Meta lines before it move to the end, but granted
    /// ones stay. `nil` if all are meta lines, or one cannot be moved.
    ///
    /// The drop is counted before the line goes: after a kill in between, no event may be missing without a count.
    func dropOldest(_ reason: DropReason, behind hand: Int?, granted: Int = 0) -> EncodedLine? {
        if hand == nil { releaseDropped() }
        var at = max(ring.start, hand ?? 0, keptUpTo)
        // A part of a line in hand has its end where the line begins. That line is passed over: it is partly written.
        if at == ring.start, writtenOfFirst > 0 || hand == at { at = ring.frame(at: at).end }
        let last = ring.end
        while at < last {
            let frame = ring.frame(at: at)
            defer { (at, keptUpTo) = (frame.end, frame.end) }
            if frame.isDropped { continue }
            let line = ring.line(at: at)
            let head = EncodedLine(line)
            if head.isMeta {
                if at < granted { continue }
                guard ring.hasRoom(for: line.count, isMeta: true) else { return nil }
                if let note = notePositions.firstIndex(of: at) {
                    notePositions.remove(at: note)
                    notePositions.append(ring.end)
                }
                ring.append(UnsafeRawBufferPointer(line))
            } else {
                ring.add(reason, session: head.session)
                (count, byteCount, done) = (count - 1, byteCount - line.count, done + 1)
            }
            if hand == nil, at == ring.start { ring.release(upTo: frame.end) } else { ring.drop(at: at) }
            if !head.isMeta { return head }
        }
        return nil
    }

    /// Forgets the drops, and what waits except granted lines. Says how many events that was, without the writer's own lines.
    func forget(behind granted: Int = 0) -> Int {
        let (before, ownBefore) = (count, notes)
        if granted > ring.start {
            ring.forEachLine(from: granted) { _, length in (count, byteCount, done) = (count - 1, byteCount - length, done + 1) }
            notePositions.removeAll { $0 >= granted }
            ring.truncate(to: granted)
        } else {
            removeAll()
        }
        keptUpTo = 0
        tally = DropTally()
        return (before - count) - (ownBefore - notes)
    }

    /// Begins anew in memory of the process's own. What waits stays in the file, as do the drops; says how many events wait there.
    func leave() -> Int {
        let events = count - notes
        ring = Ring()
        removeAll()
        tally = DropTally()
        return events
    }

    private func removeAll() {
        done += count
        (count, byteCount, writtenOfFirst, keptUpTo) = (0, 0, 0, 0)
        notePositions.removeAll()
        ring.removeAll()
    }
}

/// What a drop needs of a line: its session, and whether it is a meta line. A line of a log has neither.
struct EncodedLine {
    let session: String?
    let isMeta: Bool

    init(_ line: UnsafeBufferPointer<UInt8>) {
        let line = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(line).dropLast())
        let head = try? EventLineScanner().scan(line)
        session = head.flatMap { $0.session.isMissing ? nil : $0.session.string(in: line) }
        isMeta = head?.kind == .meta
    }
}
