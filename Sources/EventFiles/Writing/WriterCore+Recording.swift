import Basics
import TrackingEvents

/// The callers' side: from an event to its line in the ring.
extension WriterCore {
    func record(_ event: TrackedEvent) {
        if !offer(event) { waitForRoom { state, mayWait in count(event, &state, mayWait: mayWait) } }
    }

    /// Takes the event or drops it; `false`, and nothing is counted, if the policy is to wait for a place.
    func offer(_ event: TrackedEvent) -> Bool {
        monitor.withLock { state in count(event, &state, mayWait: blockNanoseconds > 0) }
    }

    /// ``admit(_:_:mayWait:)``, counted once the event is taken or dropped.
    @inline(__always)
    private func count(_ event: TrackedEvent, _ state: inout WriterState, mayWait: Bool) -> Bool {
        // What nobody agreed to is not even counted.
        if state.consent == .denied { return true }
        let isDone = admit(event, &state, mayWait: mayWait)
        if isDone { state.statistics.recorded += 1 }
        return isDone
    }

    /// The slow way of ``OverflowPolicy/block(upTo:)``: tries again whenever there may be room, until the time is up.
    func waitForRoom(_ admit: (inout WriterState, _ mayWait: Bool) -> Bool) {
        let start = MonotonicClock.system.nanoseconds
        var isCounted = false
        monitor.wait(on: space) { state in
            let left = blockNanoseconds - (MonotonicClock.system.nanoseconds - start)
            if admit(&state, left > 0) {
                if isCounted { state.blockedCallers -= 1 }
                return .done(())
            }
            if !isCounted {
                isCounted = true
                state.blockedCallers += 1
                state.threadWait = .no
                work.signal()
            }
            return .wait(nanoseconds: left)
        }
    }

    /// Takes the event or drops it; `false` if the caller should wait for a place.
    @inline(__always)
    private func admit(_ event: TrackedEvent, _ state: inout WriterState, mayWait: Bool) -> Bool {
        let lane: WriterLane.Name = state.targetName
        guard state.isOpen else {
            state.drop(.closed, session: event.session, lane: lane, at: 0)
            return true
        }
        let target = state.target
        state.sampled.note(event, lane: lane, line: target.pending.added, at: clock.nanoseconds)
        let isMeta = event.kind == .meta
        let places = isMeta ? metaEvents : options.pendingEvents
        if state.waitingLines >= places {
            switch makeRoom(session: event.session, lines: places - 1, bytes: .max, in: &state, mayWait: mayWait) {
            case .found: break
            case .none: return true
            case .wait: return false
            }
        }
        let start = target.pending.bytes.count
        switch encoder.append(event, to: target.pending.bytes) {
        case .written(let nonFinite):
            let limit = isMeta ? metaBytes : options.pendingBytes
            if state.waitingBytes > limit { return admitAgain(event, &state, lineStart: start, limit: limit, mayWait: mayWait) }
            state.statistics.nonFiniteNumbers += nonFinite
            target.pending.lineAdded(isNote: false, at: clock.nanoseconds)
        case .tooLarge(let bytes):
            noteTooLarge(event, bytes: bytes, &state)
        }
        wakeThread(&state)
        return true
    }

    /// The encoded line is beyond the byte limit: it goes, and comes back if room can be had.
    private func admitAgain(_ event: TrackedEvent, _ state: inout WriterState, lineStart: Int, limit: Int, mayWait: Bool) -> Bool {
        let target = state.target
        let length = target.pending.bytes.count - lineStart
        target.pending.truncate(to: lineStart)
        switch makeRoom(session: event.session, lines: .max, bytes: limit - length, in: &state, mayWait: mayWait) {
        case .wait: return false
        case .none: return true
        case .found:
            if case .written(let nonFinite) = encoder.append(event, to: target.pending.bytes) {
                state.statistics.nonFiniteNumbers += nonFinite
                target.pending.lineAdded(isNote: false, at: clock.nanoseconds)
            }
            wakeThread(&state)
            return true
        }
    }

    enum Room {
        case found, none, wait
    }

    /// What the policy says for a line that finds the ring full; where it is to be dropped, it is counted here.
    func makeRoom(session: String?, lines: Int, bytes: Int, in state: inout WriterState, mayWait: Bool) -> Room {
        let reason: DropReason = state.isStorageFailing ? .storage : .overflow
        let lane: WriterLane.Name = state.targetName
        // For what finds no place in an empty ring there is nothing to wait for, and nothing to take away.
        if lines < 0 || bytes < 0 {
            state.drop(reason, session: session, lane: lane, at: clock.nanoseconds)
            return .none
        }
        switch options.overflow {
        case .dropNewest: break
        case .dropOldest:
            while state.waitingLines > lines || state.waitingBytes > bytes {
                let other: WriterLane.Name = lane == .main ? .spool : .main
                guard let (line, from) = state.dropOldest(of: [lane, other]) else {
                    state.drop(reason, session: session, lane: lane, at: clock.nanoseconds)
                    return .none
                }
                state.drop(reason, session: line.session, lane: from, at: clock.nanoseconds)
            }
            return .found
        case .block: if mayWait && !state.isStorageFailing { return .wait }
        }
        state.drop(reason, session: session, lane: lane, at: clock.nanoseconds)
        return .none
    }

    private func noteTooLarge(_ event: TrackedEvent, bytes: Int, _ state: inout WriterState) {
        let now = clock.nanoseconds
        let lane: WriterLane.Name = state.targetName
        state.drop(.tooLarge, session: event.session, lane: lane, at: now)
        if state.waitingLines >= metaEvents { return }
        let properties: TrackingProperties = ["event": .string(event.event.name), "bytes": .int(bytes)]
        _ = state.note(MetaEventName.tooLarge, properties, lane: lane, encoder: encoder, wall: wallClock.milliseconds, now: now)
    }

    @inline(__always)
    func wakeThread(_ state: inout WriterState) {
        switch state.threadWait {
        case .no: return
        case .forFirstLine: break
        case .forMoreLines: if state.pendingLines < dueLines && state.pendingBytes < dueBytes { return }
        }
        state.threadWait = .no
        work.signal()
    }
}
