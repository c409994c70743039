import Basics
import TrackingEvents

extension LineRing {
    /// Takes an event or drops it. Counts nothing and gives `false` if the caller has to wait for room, which it does only with `mayWait`.
    @inline(__always)
    mutating func admit(_ event: StampedEvent, mayWait: Bool) -> Bool {
        let isMeta = event.kind == .meta
        if isMeta || !sampled.isEmpty { sampled.note(event, lane: lane, line: target.added, at: clock.nanoseconds) }
        line.removeAll()
        switch encoder.append(event, to: line) {
        case .written(let nonFinite):
            switch room(isMeta: isMeta, session: event.session, mayWait: mayWait) {
            case .wait: return false
            case .none: break
            case .found:
                statistics.nonFiniteNumbers += nonFinite
                target.append(line, isNote: false, at: clock.nanoseconds)
            }
        case .tooLarge(let bytes): dropTooLarge(event, bytes: bytes)
        }
        statistics.recorded += 1
        return true
    }

    /// ``admit(_:mayWait:)`` for a log's line, which is text already. Its line feeds become spaces: they would make several lines of it.
    mutating func admit(line text: String, mayWait: Bool, isKept: inout Bool) -> Bool {
        line.removeAll()
        line.append(text.utf8)
        for index in 0..<line.count where line.base[index] == UInt8(ascii: "\n") { line.base[index] = UInt8(ascii: " ") }
        line.append(UInt8(ascii: "\n"))
        let room = room(isMeta: false, session: nil, mayWait: mayWait)
        if room == .wait { return false }
        isKept = room == .found
        if isKept { target.append(line, isNote: false, at: clock.nanoseconds) }
        statistics.recorded += 1
        return true
    }

    private enum Room { case found, none, wait }

    /// Looks for room for ``line``, and makes room if the policy says so. If the line is to be dropped, this counts the drop.
    @inline(__always)
    private mutating func room(isMeta: Bool, session: String?, mayWait: Bool) -> Room {
        let (lines, bytes) = isMeta ? (limits.metaEvents, limits.metaBytes) : (limits.events, limits.bytes)
        if waitingLines < lines, waitingBytes &+ line.count <= bytes, target.ring.hasRoom(for: line.count, isMeta: isMeta) { return .found }
        return makeRoom(lines: lines - 1, bytes: bytes - line.count, isMeta: isMeta, session: session, mayWait: mayWait)
    }

    /// Makes room as the policy says, so that at most so many `lines` and `bytes` wait beside the new line.
    private mutating func makeRoom(lines: Int, bytes: Int, isMeta: Bool, session: String?, mayWait: Bool) -> Room {
        let reason: DropReason = isStorageFailing ? .storage : .overflow
        let lane = lane
        // A line that is too large for an empty ring never finds room.
        let canFit = lines >= 0 && bytes >= 0 && target.ring.canHold(line.count, isMeta: isMeta)
        switch overflow {
        case .dropOldest where canFit:
            while true {
                let isOver = waitingLines > lines || waitingBytes > bytes
                if !isOver && target.ring.hasRoom(for: line.count, isMeta: isMeta) { return .found }
                let lanes: [Lane] = lane == .main ? [.main, .pending] : [.pending, .main]
                // Drops behind the lines in hand free no room: a file stays full; memory grows instead, to four times its limit or 1 MiB.
                let mayHelp = handEnd(of: lane) == nil || isOver && (target.ring.end - target.ring.start) / 4 < max(limits.bytes, 262_144)
                guard mayHelp, let (oldest, from) = takeOldest(of: isOver ? lanes : [lane], reason) else {
                    drop(reason, session: session, lane: lane)
                    return .none
                }
                count(drop: reason, session: oldest.session, on: from)
            }
        case .block where canFit && mayWait && !isStorageFailing && !suspension.isOn: return .wait
        case .dropNewest, .dropOldest, .block:
            drop(reason, session: session, lane: lane)
            return .none
        }
    }

    private mutating func takeOldest(of lanes: [Lane], _ reason: DropReason) -> (EncodedLine, Lane)? {
        for lane in lanes {
            let granted = lane == .pending ? grantedEnd : 0
            if let line = self[lane].dropOldest(reason, behind: handEnd(of: lane), granted: granted) { return (line, lane) }
        }
        return nil
    }

    private mutating func dropTooLarge(_ event: StampedEvent, bytes: Int) {
        let lane = lane
        drop(.tooLarge, session: event.session, lane: lane)
        if waitingLines >= limits.metaEvents { return }
        _ = note(MetaEventName.tooLarge, ["event": .string(event.event.name), "bytes": .int(bytes)], lane: lane)
    }

    /// Whether this caller has to wake the thread. If so, the next caller need not.
    @inline(__always)
    mutating func mustWakeThread() -> Bool {
        switch threadWait {
        case .no: return false
        case .forFirstLine: break
        case .forMoreLines:
            let written = target.ring.written
            let mustBeWritten = written?.mustWake ?? false
            written?.mustWake = false
            if (isStorageFailing || untakenLines < limits.dueLines && untakenBytes < limits.dueBytes) && !mustBeWritten { return false }
        }
        threadWait = .no
        return true
    }
}
