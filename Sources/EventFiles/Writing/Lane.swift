import Basics
import TrackingEvents

/// One of the two ways that a line can take from its caller to the disk.
///
/// Each has a ring of lines, drops that no line reports yet, and a ``SegmentWriter`` with its own files. The consent at the time of
/// `record()` chooses the lane. A grant hands lines of `pending` that wait in memory to `main`; lines in a ring file go to the files of
/// `pending`, which then move. A denial forgets what waits on `pending` and erases its files. Nothing of it reaches the main folder before.
enum Lane: Sendable, CaseIterable {
    /// Events that may be kept. Their files lie in the writer's folder.
    case main
    /// Events for which consent is pending. Their files lie in ``PendingFolder``.
    case pending
}

/// What waits on one lane. Part of ``LineRing``.
/// A class: for a struct, the accessor that yields one of the two lanes would allocate memory for its frame at each event.
final class RingLane {
    /// Unchecked, because the lock of ``WriterMonitor`` lets in one thread at a time: the runtime's own check costs as much as the lock.
    @exclusivity(unchecked) private(set) var ring = Ring()
    /// How many lines wait, and their bytes, including those that the thread is writing.
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private(set) var byteCount = 0
    @exclusivity(unchecked) private(set) var added = 0
    /// How many lines no longer wait here: written, dropped, forgotten, moved to the other lane or left in a file.
    private(set) var done = 0
    /// When the oldest line came or, if that is later, the last attempt to write this lane ended, on the monotonic clock.
    private(set) var since: Int64 = 0
    /// The positions of the lines that the writer made itself.
    private(set) var notePositions: [Int] = []
    var tally = DropTally()
    var tallySince: Int64 = 0
    /// How many bytes of the first line are written: a line of a log may be longer than a member.
    private var writtenOfFirst = 0
    /// No line before this position can be dropped: an overflow looks only at the lines behind it.
    private var keptUpTo = 0

    var notes: Int { notePositions.count }
    /// Whether nothing waits, and every drop is reported by a line.
    var isIdle: Bool { count == 0 && tally.isEmpty }

    /// Puts a line behind the others. `reportsDrops` says whether it reports all drops of the lane.
    @inline(__always)
    func append(_ line: ByteBuffer, isNote: Bool, reportsDrops: Bool = false, at now: @autoclosure () -> Int64) {
        if count == 0 { since = now() }
        count &+= 1
        added &+= 1
        byteCount &+= line.count
        if isNote { notePositions.append(ring.end) }
        // The lane keeps the ring alive without a retain. A release would wait until all stores of the copy are in the cache.
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

    /// Takes over another lane's lines. Does nothing and gives `false` if they are in a file or partly written, or if there is no room.
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

    /// Copies the next member's lines to `bytes`, or a part of one that is too long; `nil` if nothing is left before `end`.
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
        (since, keptUpTo) = (now, 0)
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

    /// Frees the room of dropped lines at the front. Call it only while the thread writes no line.
    private func releaseDropped() {
        while ring.start < ring.end, case let first = ring.frame(at: ring.start), first.isDropped { ring.release(upTo: first.end) }
    }

    func failed(at now: Int64) { (since, keptUpTo) = (now, 0) }

    /// Drops the oldest line that is no meta line and that the thread is not writing. Meta lines before it move to the end, but granted
    /// ones stay. `nil` if there are only meta lines, or if one cannot be moved: drops behind one at the front would free no room.
    ///
    /// The drop is counted before the line goes: after a kill in between, no event may be missing without a count.
    func dropOldest(_ reason: DropReason, behind hand: Int?, granted: Int = 0) -> EncodedLine? {
        if hand == nil { releaseDropped() }
        var at = max(ring.start, hand ?? 0, keptUpTo)
        // While the thread writes a part of a line, `hand` is where that line begins. The line is skipped, because it is partly written.
        if at == ring.start, writtenOfFirst > 0 || hand == at { at = ring.frame(at: at).end }
        let last = ring.end
        while at < last {
            let frame = ring.frame(at: at)
            defer { at = frame.end }
            keptUpTo = frame.end
            if frame.isDropped { continue }
            let line = ring.line(at: at)
            let head = EncodedLine(line)
            if head.isMeta {
                if at < granted { continue }
                guard ring.hasRoom(for: line.count, isMeta: true) else {
                    if hand == nil { keptUpTo = at }
                    return nil
                }
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
        keptUpTo = ring.end
        return nil
    }

    /// Forgets the drops, and all waiting lines except granted ones. Gives the number of forgotten lines, without the writer's own.
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

    /// Begins anew with an empty ring in memory. Lines and drops stay in the file of the old one; gives the number of events there.
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

/// What a drop needs to know of a line: its session, and whether it is a meta line. For a log's line, `nil` and `false`.
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
