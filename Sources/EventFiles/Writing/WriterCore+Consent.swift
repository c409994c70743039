import Basics
import TrackingEvents

/// The callers' side: consent and erasing, in order with the events.
///
/// A decision takes effect on what waits in memory at once, under the lock, and on the disk by the thread. Until it has, nothing new is
/// spooled: the disk holds only what the first decision was about, so that a later one has nothing to add to it.
extension WriterCore {
    func setConsent(_ consent: TrackingConsent) {
        monitor.withLock { state in
            guard state.isOpen else { return }
            state.consent = consent
            consentCell.set(consent)
            switch consent {
            case .pending: return
            case .granted:
                let inHand = state.inFlightLane == .spool ? state.inFlightLines : 0
                state.sampled.promote(linesOfSpool: state.spool.done + inHand, to: state.main.pending.added)
                state.main.takeOver(state.spool)
                decide(.promote, .moveToMain, &state)
            case .denied:
                state.statistics.erased += state.spool.forget()
                state.sampled.removeAll()
                decide(.erase, .forget, &state)
            }
            state.threadWait = .no
            work.signal()
            // What is forgotten leaves places.
            space.broadcast()
        }
    }

    private func decide(_ decision: WriterState.SpoolDecision, _ fate: WriterLane.Fate, _ state: inout WriterState) {
        if state.spoolDecision != nil { return }
        state.spoolDecision = decision
        if state.inFlightLane == .spool, state.inFlightFate == .putBack { state.inFlightFate = fate }
    }

    /// Forgets what waits and asks the thread to remove what is written. What is recorded after this is written when that is done.
    func requestErase(completion: @escaping @Sendable (EventFileError?) -> Void) {
        let isAccepted = monitor.withLock { state in
            guard state.isOpen else { return false }
            state.statistics.erased += state.main.forget() + state.spool.forget()
            state.sampled.removeAll()
            state.inFlightFate = .forget
            state.erasuresWanted += 1
            state.requests.append(WriterState.Request(kind: .erase, completion: completion))
            state.threadWait = .no
            work.signal()
            space.broadcast()
            return true
        }
        if !isAccepted { completion(.closed) }
    }
}

/// The thread's side of the same.
extension WriterCore {
    /// How many erasures were asked for in all, if the last of them is still to be done.
    var erasureToDo: Int? { monitor.withLock { $0.isErasing ? $0.erasuresWanted : nil } }

    func erased(upTo number: Int) { monitor.withLock { $0.erasuresDone = number } }

    var spoolDecision: WriterState.SpoolDecision? { monitor.withLock { $0.spoolDecision } }

    func spoolSettled() { monitor.withLock { $0.spoolDecision = nil } }

    /// The lines at the head of a new segment; `nil` where there is nothing to tell again.
    func head(of lane: WriterLane.Name) -> ByteBuffer? {
        monitor.withLock { state in
            if state.sampled.isEmpty { return nil }
            let done = lane == .main ? state.main.done : state.spool.done
            let events = state.sampled.events(
                for: lane, done: done, wall: wallClock.milliseconds, now: clock.nanoseconds, random: &state.random)
            let lines = ByteBuffer(capacity: 256 * max(1, events.count))
            for event in events {
                let start = lines.count
                _ = encoder.append(event, to: lines)
                // They are one member: ids of users may be long.
                if lines.count > BGZF.rawLimit {
                    lines.truncate(to: start)
                    break
                }
            }
            return lines.count == 0 ? nil : lines
        }
    }
}
