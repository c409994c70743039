import Basics
public import TrackingEvents

/// What people say to being tracked.
extension Tracker {
    /// What the person has said so far; `.granted` in an app that asks nobody.
    public var consent: TrackingConsent { state.withLock { $0.consent } }

    /// Says what the person has decided, or that the decision is open again. Takes effect for what is tracked from now on.
    ///
    /// - `.granted`: what was kept apart or held while the decision was open is handed on.
    /// - `.denied`: what was kept apart or held is erased, the session ends, and the anonymous id is forgotten, its file too. What was
    ///   tracked with consent stays where it is; ``erase()`` removes it.
    /// - `.pending`: events go on being numbered, and are kept apart.
    ///
    /// The sinks are told, too. A sink that is shared by trackers of several people who decide apart must not be one that keeps events
    /// apart itself; a ``/TrackingEvents/ClosureSink`` around it makes each tracker hold its own.
    public func setConsent(_ consent: TrackingConsent) {
        change { state in
            if state.consent == consent && state.isConsentTold { return }
            state.consent = consent
            state.isConsentTold = true
            switch consent {
            case .pending: break
            case .granted: handOnHeld(of: &state)
            case .denied:
                _ = state.held.take()
                state.endSession()
                state.previousSession = nil
                forgetAnonymousID(of: &state, at: clock.milliseconds)
            }
            for sink in sinks { sink.setConsent(consent) }
        }
    }

    /// Hands on what was held, and says of which sessions something is missing: the gaps in a file are explained then.
    private func handOnHeld(of state: inout TrackerState) {
        let held = state.held.take()
        for event in held.events { for sink in heldFor { sink.record(event) } }
        guard let dropped = held.dropped else { return }
        let now = clock.milliseconds
        let note = TrackedEvent(
            timeMilliseconds: now, event: TrackingEvent(MetaEventName.dropped, dropped),
            id: EventID(milliseconds: now, random: &state.random),
            kind: .meta)
        for sink in heldFor { sink.record(note) }
    }

    /// Erases all that was tracked from wherever the sinks keep it, and forgets the anonymous id. A new session begins with the next event.
    ///
    /// Exact with other threads: what they track before is erased, what they track after is kept, in the new session. The user, the consent and
    /// the shared properties stay. Sinks that hand events on elsewhere cannot take them back.
    ///
    /// - Throws: the first sink's error; every sink is asked, whatever the others say.
    public func erase() async throws {
        let gathering = Gathering(of: sinks.count)
        change { state in
            _ = state.held.take()
            state.endSession()
            state.previousSession = nil
            forgetAnonymousID(of: &state, at: clock.milliseconds)
            for sink in sinks { sink.erase { gathering.arrived($0) } }
        }
        try await gathering.all()
    }

    /// How many events found no place in memory while consent was pending. Sinks that do not keep events apart themselves never get these,
    /// but a `dropped` meta event without a session and a number, that says how many there were of which session.
    public var droppedWhilePending: Int { state.withLock { $0.held.dropped } }
}
