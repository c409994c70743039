import Basics
import TrackingEvents

/// The thread's side: what there is to do, and what became of it.
extension WriterCore {
    /// What the thread finds to do.
    enum Wake {
        /// Somebody asked for something.
        case requests
        /// Storage failed some time ago: try again.
        case retry
        case fullMembers
        case everything
        /// The file is old enough.
        case rotate
        /// Nothing better to do: recover.
        case background
        /// Storage fails, and closing has no time left.
        case giveUp
    }

    /// - Parameters:
    ///   - retryAt: when to try again, if storage fails.
    ///   - rotateAt: when a file is old enough.
    ///   - settleAt: when to try again to bring the spool to where it was decided that it belongs, if that failed.
    func waitForWork(retryAt: Int64?, rotateAt: Int64?, settleAt: Int64? = nil, isClosing: Bool, hasBackground: Bool) -> Wake {
        monitor.wait(on: work) { state in
            state.threadWait = .no
            if isClosing && state.mustGiveUp { return .done(.giveUp) }
            if !state.requests.isEmpty { return .done(.requests) }
            let now = clock.nanoseconds
            if let retryAt { return now >= retryAt ? .done(.retry) : .wait(nanoseconds: Self.pause(until: retryAt, from: now)) }
            if state.isErasing { return .done(.everything) }
            var next = rotateAt ?? .max
            if next <= now { return .done(.rotate) }
            if state.spoolDecision != nil {
                next = min(next, settleAt ?? now)
                if next <= now { return .done(.everything) }
            }
            for lane in WriterLane.Name.allCases where state.isFree(lane) {
                let pending = state[lane].pending
                if pending.byteCount > BGZF.rawLimit { return .done(.fullMembers) }
                let isDue = pending.lines >= dueLines || pending.byteCount >= dueBytes || state.blockedCallers > 0
                if isDue && pending.lines > 0 { return .done(.everything) }
                if pending.lines > 0 { next = min(next, pending.since.addingClamped(idleNanoseconds)) }
                if !state[lane].tally.isEmpty { next = min(next, state[lane].tallySince.addingClamped(idleNanoseconds)) }
            }
            if next <= now { return .done(.everything) }
            if hasBackground { return .done(.background) }
            state.threadWait = state.pendingLines == 0 ? .forFirstLine : .forMoreLines
            return .wait(nanoseconds: next == .max ? nil : Self.pause(until: next, from: now))
        }
    }

    /// At least a millisecond: a clock that somebody moves by hand must not make the thread spin.
    private static func pause(until time: Int64, from now: Int64) -> Int64 { max(1_000_000, time.subtractingClamped(now)) }

    func takeRequests() -> [WriterState.Request] {
        monitor.withLock { state in
            defer { state.requests.removeAll() }
            return state.requests
        }
    }

    /// Hands a lane's waiting lines to the thread; `nil` if there are none, or none that may be written yet.
    ///
    /// - Parameter tellingDrops: whether a `dropped` line is added if there is something to tell.
    func take(_ lane: WriterLane.Name, fullMembersOnly: Bool, tellingDrops: Bool) -> Batch? {
        monitor.withLock { state in
            if !state.isFree(lane) { return nil }
            let now = clock.nanoseconds
            if tellingDrops && !state[lane].tally.isEmpty {
                state.noteDrops(of: lane, encoder: encoder, wall: wallClock.milliseconds, now: now)
            }
            if state[lane].pending.lines == 0 { return nil }
            let other = state.spare.take() ?? ByteBuffer(capacity: 16)
            let batch = state[lane].pending.take(fullMembersOnly: fullMembersOnly, into: other, at: now)
            state.inFlightLines = batch.lines
            state.inFlightBytes = batch.end - batch.place
            state.inFlightNotes = batch.notes
            state.inFlightLane = lane
            state.inFlightFate = .putBack
            return batch
        }
    }

    /// A member is with the system.
    func written(lines: Int, notes: Int, rawBytes: Int, bytes: Int) {
        monitor.withLock { state in
            state[state.inFlightLane].done += lines
            state.inFlightLines -= lines
            state.inFlightBytes -= rawBytes
            state.inFlightNotes -= notes
            state.statistics.written += lines - notes
            state.statistics.bytes += Int64(bytes)
            if state.blockedCallers > 0 { space.broadcast() }
        }
    }

    /// All of a batch is written: its buffer is free.
    func giveBack(_ bytes: ByteBuffer) {
        monitor.withLock { state in keep(bytes, in: &state) }
    }

    /// A batch could not be written to its end: what is left waits again, before all that came since, unless something else was decided
    /// for it in the meantime.
    func putBack(_ batch: Batch) {
        monitor.withLock { state in
            state.inFlightLines = 0
            state.inFlightBytes = 0
            state.inFlightNotes = 0
            let lane = state.inFlightLane
            switch state.inFlightFate {
            case .forget:
                state[lane].done += batch.lines
                state.statistics.erased += batch.lines - batch.notes
                keep(batch.bytes, in: &state)
            case .moveToMain where lane == .spool:
                state.spool.done += batch.lines
                state.main.pending.adopted(batch.lines)
                keep(state.main.pending.putBack(batch, since: clock.nanoseconds), in: &state)
            case .moveToMain, .putBack:
                keep(state[lane].pending.putBack(batch, since: clock.nanoseconds), in: &state)
            }
        }
    }

    private func keep(_ bytes: ByteBuffer, in state: inout WriterState) {
        bytes.removeAll()
        // One giant event must not hold its memory for ever.
        state.spare = bytes.capacity / 2 <= options.pendingBytes ? bytes : nil
    }

    func published() {
        monitor.withLock { $0.statistics.segments += 1 }
    }

    /// Written events are gone with their file. They are told of where they would be by now.
    func lost(events: Int, on lane: WriterLane.Name) {
        monitor.withLock { state in
            state.statistics.written -= events
            state.statistics.droppedByReason[.storage, default: 0] += events
            var lane = lane
            if lane == .spool, let decision = state.spoolDecision {
                if decision == .erase { return }
                lane = .main
            }
            if state[lane].tally.isEmpty { state[lane].tallySince = clock.nanoseconds }
            state[lane].tally.addUnknown(.storage, count: events)
        }
    }

    func storageFails() {
        monitor.withLock { state in
            state.isStorageFailing = true
            state.droppedInEpisode = 0
            space.broadcast()
        }
    }

    /// Storage works again; the file shall say so.
    func storageWorks(errno: Int32) {
        monitor.withLock { state in
            state.isStorageFailing = false
            // Nothing at all is written for somebody who said no.
            if state.consent == .denied { return }
            let properties: TrackingProperties = ["dropped": .int(state.droppedInEpisode), "errno": .int(Int64(errno))]
            let wall = wallClock.milliseconds
            _ = state.note(
                MetaEventName.storageRecovered, properties, lane: state.targetName, encoder: encoder, wall: wall, now: clock.nanoseconds)
        }
    }

    /// Drops what waits, because the writer closes and storage does not take it.
    func dropPending() {
        monitor.withLock { state in
            for lane in WriterLane.Name.allCases {
                var events: [String?] = []
                state[lane].pending.dropAll { line in
                    if !line.isMeta || line.session != nil { events.append(line.session) }
                }
                for session in events { state.drop(.storage, session: session, lane: lane, at: 0) }
            }
        }
    }

    func recoveryChanged(to report: RecoveryReport) {
        monitor.withLock { state in
            state.recovery = report
        }
    }
}
