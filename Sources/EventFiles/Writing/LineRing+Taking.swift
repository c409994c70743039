import Basics
import TrackingEvents

/// The thread's side of the ring: what is due, and what became of it.
extension LineRing {
    /// What waits on some lanes.
    enum Due {
        /// More than a member.
        case fullMembers
        /// So much, or for so long, that all of it is to be written now.
        case everything
        /// Nothing before this time; `.max` if nothing waits.
        case at(Int64)
    }

    /// - Parameter lanes: those from which may be written.
    func due(on lanes: [Lane], at now: Int64) -> Due {
        var next = Int64.max
        for name in lanes {
            let lane = self[name]
            let lines = lane.lines
            if lines.byteCount > BGZF.rawLimit { return .fullMembers }
            if lines.count > 0 {
                if lines.count >= limits.dueLines || lines.byteCount >= limits.dueBytes || blockedCallers > 0 { return .everything }
                next = min(next, lines.since.addingClamped(limits.idleNanoseconds))
            }
            if !lane.tally.isEmpty { next = min(next, lane.tallySince.addingClamped(limits.idleNanoseconds)) }
        }
        return next <= now ? .everything : .at(next)
    }

    /// Hands a lane's waiting lines to the thread; `nil` if there are none.
    ///
    /// - Parameter reportingDrops: whether a `dropped` line is added if there is something to report.
    mutating func take(_ lane: Lane, fullMembersOnly: Bool, reportingDrops: Bool) -> Batch? {
        if reportingDrops && !self[lane].tally.isEmpty { noteDrops(of: lane) }
        if self[lane].lines.count == 0 { return nil }
        if lane == .main, mustMoveCopies {
            // Prefer loss to duplication: a kill may come now.
            pending.file?.removeAll()
            mustMoveCopies = false
        }
        let now = clock.nanoseconds
        sampled.removeIdle(at: now)
        var batch = self[lane].lines.take(fullMembersOnly: fullMembersOnly, into: spare.take() ?? ByteBuffer(capacity: 16), at: now)
        batch.linesBefore = self[lane].done
        batch.sampled = sampled
        inHand = InHand(lane: lane, lines: batch.lines, bytes: batch.end - batch.place, notes: batch.notes)
        inHand.isCopied = self[lane].file != nil
        self[lane].file?.handChanged()
        return batch
    }

    /// Appends a `dropped` line with what a lane's tally holds, and empties the tally.
    private mutating func noteDrops(of lane: Lane) {
        // Where the copy has no room, it has once some of its lines are written.
        let isNoted = DropTally.withFewerSessions { named in
            note(MetaEventName.dropped, self[lane].tally.properties(sessions: named), lane: lane, reportsDrops: true)
        }
        if isNoted { self[lane].tally = DropTally() }
    }

    /// Something is about to be written to a segment of a lane, be it lines of the ring or not.
    mutating func writes(to segment: SegmentWriter.Active, of lane: Lane) { self[lane].file?.note(number: segment.name.number) }

    /// A member of the batch in hand is about to be written behind what a segment holds.
    mutating func writes(_ member: Batch.Member, to segment: SegmentWriter.Active) {
        writes(to: segment, of: inHand.lane)
        guard inHand.isCopied, let file = self[inHand.lane].file else { return }
        inHand.copyEnd = file.note(lines: member.lines, in: segment)
    }

    /// A member of the batch in hand is with the system.
    ///
    /// - Parameter bytes: its compressed bytes.
    mutating func written(_ member: Batch.Member, bytes: Int) {
        self[inHand.lane].done += member.lines
        inHand.lines -= member.lines
        inHand.bytes -= member.raw.count
        inHand.notes -= member.notes
        if inHand.isCopied { self[inHand.lane].file?.release(upTo: inHand.copyEnd) }
        if inHand.bytes == 0 { handIsEmpty() }
        statistics.written += member.lines - member.notes
        statistics.bytes += Int64(bytes)
    }

    /// The thread has nothing in hand any more. Copies of lanes on which nothing waits begin again.
    private mutating func handIsEmpty() {
        if main.lines.count == 0 { main.file?.restart() }
        if pending.lines.count == 0, !mustMoveCopies { pending.file?.restart() }
    }

    /// A batch could not be written to its end: what is left of it waits again, before all that came since, unless ``InHand/fate`` says
    /// something else.
    mutating func putBack(_ batch: Batch) {
        let (lane, fate, isCopied) = (inHand.lane, inHand.fate, inHand.isCopied)
        inHand = InHand()
        self[lane].file?.handChanged()
        switch fate {
        case .forget:
            self[lane].done += batch.lines
            statistics.erased += batch.lines - batch.notes
            reuse(batch.bytes)
            handIsEmpty()
        case .moveToMain where lane == .pending:
            pending.done += batch.lines
            main.lines.adopted(batch.lines)
            reuse(main.lines.putBack(batch, since: clock.nanoseconds))
            // They come before what is copied already.
            main.copyAgain()
            if isCopied { if main.file == nil { mustMoveCopies = true } else { pending.file?.release(lines: batch.lines) } }
        case .moveToMain, .putBack:
            reuse(self[lane].lines.putBack(batch, since: clock.nanoseconds))
        }
    }

    /// Keeps a buffer that is free for the next take.
    mutating func reuse(_ bytes: ByteBuffer) {
        bytes.removeAll()
        // One giant event must not hold its memory for ever.
        spare = bytes.capacity / 2 <= limits.bytes ? bytes : nil
    }

    /// Counts events that were lost with their file as dropped.
    ///
    /// - Parameter lane: the lane they would now be on; `nil` where they would have been erased.
    mutating func lost(events: Int, lane: Lane?) {
        statistics.written -= events
        statistics.droppedByReason[.storage, default: 0] += events
        guard let lane = lane.map({ self[$0] }) else { return }
        lane.file?.add(events, .storage)
        if lane.tally.isEmpty { lane.tallySince = clock.nanoseconds }
        lane.tally.addUnknown(.storage, count: events)
    }

    mutating func storageFails() {
        isStorageFailing = true
        droppedInEpisode = 0
    }

    /// Storage works again: appends a line that says so.
    mutating func storageWorks(errno: Int32) {
        isStorageFailing = false
        // Nothing is written about somebody who has denied consent.
        if consent == .denied { return }
        _ = note(MetaEventName.storageRecovered, ["dropped": .int(droppedInEpisode), "errno": .int(Int64(errno))], lane: lane)
    }

    /// Drops what waits in memory alone, because the writer closes.
    mutating func dropWaiting() {
        let reason: DropReason = isStorageFailing ? .storage : .closed
        for lane in Lane.allCases {
            var sessions: [String?] = []
            self[lane].lines.dropAll(behind: self[lane].file?.lines ?? 0) { line in
                if !line.isMeta || line.session != nil { sessions.append(line.session) }
            }
            for session in sessions { drop(reason, session: session, lane: lane) }
        }
    }
}
