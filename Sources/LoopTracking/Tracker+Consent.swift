import Basics
public import TrackingEvents

extension Tracker {
    /// The person's answer so far; `nil` in an app that asks nobody.
    public var consent: TrackingConsent? { state.withLock { $0.consent } }

    /// Sets the person's answer, or opens the question again. It applies to what is tracked from now on, and is passed on to the sinks.
    ///
    /// - `.granted`: hands on what was kept apart or held while the question was open.
    /// - `.denied`: erases what was kept apart or held, ends the session, and forgets the anonymous id, in its store too. What was tracked
    ///   with consent stays; ``erase()`` removes it.
    /// - `.pending`: events are still numbered, and are kept apart.
    ///
    /// Trackers of several people who decide separately must not share a sink that keeps events apart itself. Wrap it in a
    /// ``/TrackingEvents/ClosureSink``: then each tracker holds its own events.
    public func setConsent(_ consent: TrackingConsent) {
        change { state in
            if state.consent == consent { return }
            state.consent = consent
            switch consent {
            case .pending: break
            case .granted: handOnHeld(of: &state)
            case .denied: state.forget(at: clock.milliseconds)
            }
            state.delivery.handToAll(.consent(consent))
        }
    }

    /// Hands on what was held, and a note of the sessions that lost events, so that the gaps in a file are explained.
    private func handOnHeld(of state: inout TrackerState) {
        let held = state.held.take()
        for event in held.events { for sink in heldFor { state.delivery.hand(event, toSinkAt: sink) } }
        guard let dropped = held.dropped else { return }
        let note = StampedEvent(note: MetaEventName.dropped, dropped, at: clock.milliseconds, random: &state.random)
        for sink in heldFor { state.delivery.hand(note, toSinkAt: sink) }
    }

    /// Erases everything tracked so far from wherever the sinks keep it, and forgets the anonymous id. The next event begins a new session.
    ///
    /// Exact with other threads: what they track before is erased, what they track after is kept, in the new session. The user, the consent
    /// and the shared properties stay. Sinks that pass events on elsewhere cannot take them back.
    ///
    /// - Throws: the first sink's error, after every sink was asked; ``TrackerError/inForkedChild`` in the child of a `fork`.
    public func erase() async throws {
        let (errors, done) = AsyncStream.makeStream(of: (any Error)?.self)
        let isOurs: Void? = change { state in
            state.forget(at: clock.milliseconds)
            state.delivery.handToAll(.erasure(done))
        }
        if isOurs == nil { throw TrackerError.inForkedChild }
        // In a task of its own: the caller's would not wait for the sinks if it were cancelled.
        let waiting = Task { [count = sinks.count] in
            await errors.prefix(count).reduce(nil) { (first: (any Error)?, error) in first ?? error }
        }
        if let error = await waiting.value { throw error }
    }
}
