import Basics
import TrackingEvents

extension LineRing {
    enum Due {
        case fullMembers
        /// Everything that waits is to be written now, because it is much or old, or because callers wait for room.
        case everything
        /// Nothing is due before this time; `.max` if nothing waits.
        case at(Int64)
    }

    /// When a ring that is not mapped is to be written to its file; `.max` for never.
    var ringsDue: Int64 {
        Lane.allCases.compactMap { self[$0].ring.written?.staleSince?.addingClamped(limits.ringNanoseconds) }.min() ?? .max
    }

    func due(on lanes: [Lane], at now: Int64) -> Due {
        var next = Int64.max
        for name in lanes {
            let lane = self[name]
            if lane.byteCount > BGZF.rawLimit { return .fullMembers }
            if lane.count > 0 {
                if lane.count >= limits.dueLines || lane.byteCount >= limits.dueBytes || blockedCallers > 0 { return .everything }
                next = min(next, lane.since.addingClamped(limits.idleNanoseconds))
            }
            if !lane.tally.isEmpty { next = min(next, lane.tallySince.addingClamped(limits.idleNanoseconds)) }
        }
        return next <= now ? .everything : .at(next)
    }

    /// Reports drops in a line if asked to. Gives the position up to which the thread may write now; `nil` if nothing waits.
    mutating func take(_ name: Lane, reportingDrops: Bool, granted: Bool) -> Int? {
        let lane = self[name]
        if reportingDrops && !lane.tally.isEmpty { noteDrops(of: name) }
        if lane.count == 0 { return nil }
        sampled.removeIdle(at: clock.nanoseconds)
        if granted { return grants.first?.pending ?? 0 }
        return name == .main ? grants.first?.main ?? lane.ring.end : lane.ring.end
    }

    /// The raw bytes of the next member, valid until the next call. It is ``inHand`` until ``written(bytes:)`` or ``failed()`` is called.
    ///
    /// - Parameter fullMembersOnly: whether lines that fill no member wait for more.
    mutating func nextMember(of name: Lane, before end: Int, fullMembersOnly: Bool) -> (raw: UnsafeBufferPointer<UInt8>, events: Int)? {
        let lane = self[name]
        if fullMembersOnly && lane.byteCount <= BGZF.rawLimit { return nil }
        memberBytes.removeAll()
        guard let (memberEnd, lines, notes) = lane.nextMember(before: end, to: memberBytes) else { return nil }
        // Lines that fill no member wait for those that came since. Lines before the end of a grant cannot wait for later ones.
        if fullMembersOnly && memberEnd == end && end < lane.ring.end && grants.isEmpty { return nil }
        inHand = InHand(lane: name, end: memberEnd, lines: lines, bytes: memberBytes.count, notes: notes)
        return (memberBytes.bytes, lines - notes)
    }

    mutating func noteDrops(of lane: Lane) {
        // Without room the tally stays: a full ring file has room once some of its lines are written.
        let isWritten = DropTally.withFewerSessions { named in
            note(MetaEventName.dropped, self[lane].tally.properties(sessions: named), lane: lane, reportsDrops: true)
        }
        if isWritten { self[lane].tally = DropTally() }
    }

    /// Notes in the ring that the next member goes to a segment's end, and holds the ring's lines up to `end`, or none of them if `nil`.
    func writes(to segment: SegmentWriter.Active, of lane: Lane, upTo end: Int? = nil) {
        let ring = self[lane].ring
        ring.note(number: segment.name.number)
        ring.note(end: end ?? ring.start, in: segment)
    }

    func writesMember(to segment: SegmentWriter.Active) {
        guard let inHand else { return }
        writes(to: segment, of: inHand.lane, upTo: inHand.lines > 0 && !inHand.isForgotten ? inHand.end : nil)
    }

    mutating func written(bytes: Int) {
        statistics.bytes += Int64(bytes)
        guard let hand = inHand.take() else { return }
        statistics.written += hand.lines - hand.notes
        if !hand.isForgotten { self[hand.lane].written(hand, at: clock.nanoseconds) }
    }

    mutating func failed() {
        guard let hand = inHand.take() else { return }
        if hand.isForgotten { statistics.erased += hand.lines - hand.notes } else { self[hand.lane].failed(at: clock.nanoseconds) }
    }

    /// Counts as dropped the events that were lost with their file.
    ///
    /// - Parameter lane: the lane they would now be on; `nil` where they would have been erased.
    mutating func lost(events: Int, lane: Lane?) {
        statistics.written -= events
        statistics.droppedByReason[.storage, default: 0] += events
        guard let lane = lane.map({ self[$0] }) else { return }
        lane.ring.add(events, .storage)
        if lane.tally.isEmpty { lane.tallySince = clock.nanoseconds }
        lane.tally.add(.storage, session: SessionTally.others, count: events)
    }

    mutating func storageWorks(errno: Int32) {
        isStorageFailing = false
        // Nothing is written about somebody who has denied consent.
        if consent == .denied { return }
        _ = note(MetaEventName.storageRecovered, ["dropped": .int(droppedInEpisode), "errno": .int(Int64(errno))], lane: lane)
    }

    mutating func dropWaiting() {
        let reason: DropReason = isStorageFailing ? .storage : .closed
        for lane in Lane.allCases where self[lane].ring.file == nil {
            let waiting = self[lane]
            var (sessions, notes): ([String?], ArraySlice<Int>) = ([], waiting.notePositions[...])
            waiting.ring.forEachLine { at, _ in
                if notes.first != at { return sessions.append(EncodedLine(waiting.ring.line(at: at)).session) }
                notes.removeFirst()
            }
            // Counted after `forget()`, because that empties the lane's tally, too.
            _ = waiting.forget()
            for session in sessions { drop(reason, session: session, lane: lane) }
        }
    }
}
