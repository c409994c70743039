import Basics
import TrackingEvents

/// The callers' side of the ring: from an event to its line.
extension LineRing {
    /// Takes an event or drops it.
    ///
    /// - Parameter mayWait: whether the policy to wait for a place still has time.
    /// - Returns: `false` if the caller has to wait for a place. Nothing is counted then.
    @inline(__always)
    mutating func admit(_ event: StampedEvent, mayWait: Bool) -> Bool {
        let target = target
        let isMeta = event.kind == .meta
        if isMeta || !sampled.isEmpty { sampled.note(event, lane: lane, line: target.lines.added, at: clock.nanoseconds) }
        let places = isMeta ? limits.metaEvents : limits.events
        if waitingLines >= places {
            switch makeRoom(session: event.session, lines: places - 1, bytes: .max, length: 0, isMeta: isMeta, mayWait: mayWait) {
            case .found: break
            case .none: return counted()
            case .wait: return false
            }
        }
        let start = target.lines.bytes.count
        switch encoder.append(event, to: target.lines.bytes) {
        case .written(let nonFinite):
            let limit = isMeta ? limits.metaBytes : limits.bytes
            let length = target.lines.bytes.count &- start
            if waitingBytes > limit || !target.hasRoom(for: length, isMeta: isMeta) {
                return admitAgain(event, lineStart: start, limit: limit, mayWait: mayWait)
            }
            statistics.nonFiniteNumbers += nonFinite
            target.lineAdded(from: start, isNote: false, at: clock.nanoseconds)
        case .tooLarge(let bytes):
            dropTooLarge(event, bytes: bytes)
        }
        return counted()
    }

    /// Takes a line that is text already, or drops it.
    ///
    /// - Parameter line: its line feeds become spaces, because they would make several lines of it.
    mutating func admit(line: String, mayWait: Bool) -> Bool {
        let length = line.utf8.count + 1
        let target = target
        if waitingLines >= limits.events || waitingBytes + length > limits.bytes || !target.hasRoom(for: length, isMeta: false) {
            switch makeRoom(session: nil, lines: limits.events - 1, bytes: limits.bytes - length, length: length, mayWait: mayWait) {
            case .found: break
            case .none: return counted()
            case .wait: return false
            }
        }
        let bytes = target.lines.bytes
        let start = bytes.count
        bytes.append(line.utf8)
        for place in start..<bytes.count where bytes.base[place] == UInt8(ascii: "\n") { bytes.base[place] = UInt8(ascii: " ") }
        bytes.append(UInt8(ascii: "\n"))
        target.lineAdded(from: start, isNote: false, at: clock.nanoseconds)
        return counted()
    }

    @inline(__always)
    private mutating func counted() -> Bool {
        statistics.recorded += 1
        return true
    }

    /// The encoded line is beyond a limit: removes it, makes room, and encodes it again.
    private mutating func admitAgain(_ event: StampedEvent, lineStart: Int, limit: Int, mayWait: Bool) -> Bool {
        let target = target
        let length = target.lines.bytes.count - lineStart
        target.lines.truncate(to: lineStart)
        let room = makeRoom(
            session: event.session, lines: .max, bytes: limit - length, length: length, isMeta: event.kind == .meta, mayWait: mayWait)
        switch room {
        case .wait: return false
        case .none: break
        case .found:
            let start = target.lines.bytes.count
            if case .written(let nonFinite) = encoder.append(event, to: target.lines.bytes) {
                statistics.nonFiniteNumbers += nonFinite
                target.lineAdded(from: start, isNote: false, at: clock.nanoseconds)
            }
        }
        return counted()
    }

    private enum Room {
        case found, none, wait
    }

    /// Does what the policy says for a line that finds the ring full. Where that is to drop the line, it is counted as dropped here.
    ///
    /// - Parameters:
    ///   - lines: so many lines may wait beside the new one.
    ///   - bytes: so many bytes may wait beside the new line.
    ///   - length: the new line's, for which the copy needs room; 0 where it is not known yet.
    private mutating func makeRoom(
        session: String?, lines: Int, bytes: Int, length: Int, isMeta: Bool = false, mayWait: Bool
    ) -> Room {
        let reason: DropReason = isStorageFailing ? .storage : .overflow
        let lane = lane
        // A line that is too large for an empty ring never finds a place.
        let canFit = lines >= 0 && bytes >= 0
        switch overflow {
        case .dropOldest where canFit:
            while true {
                let isOver = waitingLines > lines || waitingBytes > bytes
                if !isOver && (length == 0 || target.hasRoom(for: length, isMeta: isMeta)) { return .found }
                let lanes: [Lane] = lane == .main ? [.main, .pending] : [.pending, .main]
                // The copy gets room only at its front, where the thread's lines are.
                let mayHelp = isOver || inHand(of: lane) == 0
                guard mayHelp, let (line, from) = takeOldest(of: isOver ? lanes : [lane], reason) else {
                    drop(reason, session: session, lane: lane)
                    return .none
                }
                count(drop: reason, session: line.session, on: from)
            }
        case .block where canFit && mayWait && !isStorageFailing: return .wait
        case .dropNewest, .dropOldest, .block:
            drop(reason, session: session, lane: lane)
            return .none
        }
    }

    /// Removes the oldest line that is no meta line, from the first of the lanes that has one.
    private mutating func takeOldest(of lanes: [Lane], _ reason: DropReason) -> (EncodedLine, Lane)? {
        for lane in lanes {
            guard let line = self[lane].dropOldest(reason, inHand: inHand(of: lane)) else { continue }
            return (line, lane)
        }
        return nil
    }

    private mutating func dropTooLarge(_ event: StampedEvent, bytes: Int) {
        let lane = lane
        drop(.tooLarge, session: event.session, lane: lane)
        if waitingLines >= limits.metaEvents { return }
        _ = note(MetaEventName.tooLarge, ["event": .string(event.event.name), "bytes": .int(bytes)], lane: lane)
    }

    /// Whether the caller has to wake the thread. The next caller has not.
    @inline(__always)
    mutating func mustWakeThread() -> Bool {
        switch threadWait {
        case .no: return false
        case .forFirstLine: break
        case .forMoreLines: if untakenLines < limits.dueLines && untakenBytes < limits.dueBytes { return false }
        }
        threadWait = .no
        return true
    }
}
