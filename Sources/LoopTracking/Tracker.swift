import Basics
public import TrackingEvents

/// Says who did what, when and in which session, and hands it to the sinks.
///
/// ```swift
/// let tracker = Tracker(to: try EventFileWriter(folder: "events"), anonymousIDs: AnonymousIDFile(path: "anonymous-id"))
/// let system = System(initialState: .start, reducer: Shop.reduce)
///     .attach(.track(to: tracker, Shop.trackingEvent))
/// tracker.identify("u17")
/// ```
/// **Any thread.** All of it may be called from anywhere. Stamping and the hand-over to the sinks happen under one lock, so
/// every sink gets the events of a session in the order of their sequence numbers.
///
/// **Sessions.** A session belongs to one tracker. It begins with the first event, with a `session_started` meta line that carries
/// the context once for all of them, and ends by ``SessionRule``, by ``endSession()``, by ``reset()`` or with the tracker. Several
/// systems may share a tracker.
///
/// A child process begins a session of its own after `fork`.
///
/// **Users.** Until ``identify(_:)`` events carry an anonymous id, which starts with `a-`. With an ``AnonymousIDStore`` it is the one of earlier
/// runs and of other processes; it is read again at the beginning of each session, so that a ``reset()`` elsewhere reaches this tracker.
///
/// **Consent.** An app that asks people passes `consent` and calls ``setConsent(_:)``. While it is denied, nothing is numbered or handed on.
/// While it is pending, sinks that can keep events apart do so (event files, in `.pending/`), and for the others they are held in memory.
///
/// **Sampling.** A rate below 1 tracks that share of the sessions, each of them whole. The rate stands in `session_started`.
public final class Tracker: Sendable {
    let state: Lock<TrackerState>
    let sinks: [any TrackingSink]
    /// Those for which events are held while consent is pending.
    let heldFor: [any TrackingSink]
    let clock: WallClock
    let fork = ForkGuard()
    let anonymousIDs: (any AnonymousIDStore)?
    private let rule: SessionRule
    private let context: TrackingProperties
    private let onError: (@Sendable (AnonymousIDError) -> Void)?

    /// A tracker without a session yet.
    ///
    /// - Parameters:
    ///   - sinks: each gets every event.
    ///   - user: the user's id, if it is known already.
    ///   - anonymousID: the id until the user is known, where the app keeps it itself. `nil` makes a new one, or asks `anonymousIDs`.
    ///   - anonymousIDs: where the anonymous id is kept from run to run.
    ///   - context: app, device and system, told once a session.
    ///   - sharedProperties: added to every event that does not have the key itself.
    ///   - rule: when a session ends by itself.
    ///   - consent: what the person has said so far. `nil` for an app that asks nobody: everything is tracked, and sinks are not told.
    ///   - sampleRate: the share of sessions to track, 0 to 1.
    ///   - clock: stamps the events.
    ///   - random: the source of ids. A fixed seed repeats them: for tests and simulations only.
    ///   - onError: hears what keeps the anonymous id from being kept. Called from whichever thread noticed, no lock held.
    public init(
        to sinks: any TrackingSink..., user: String? = nil, anonymousID: String? = nil,
        anonymousIDs: (any AnonymousIDStore)? = nil, context: TrackingProperties = [:], sharedProperties: TrackingProperties = [:],
        rule: SessionRule = SessionRule(), consent: TrackingConsent? = nil, sampleRate: Double = 1, clock: WallClock = .system,
        random: SeededRandom = SeededRandom(), onError: (@Sendable (AnonymousIDError) -> Void)? = nil
    ) {
        self.sinks = sinks
        heldFor = sinks.filter { !$0.spoolsWhilePending }
        self.clock = clock
        self.rule = rule
        self.context = context
        self.anonymousIDs = anonymousIDs
        self.onError = onError
        var begun = TrackerState(
            user: user, anonymous: anonymousID ?? "", shared: sharedProperties, consent: consent ?? .granted,
            isConsentTold: consent != nil, sampleRate: SessionSampling.rate(sampleRate), random: random)
        if anonymousID == nil { begun.anonymous = begun.newAnonymousID(at: clock.milliseconds) }
        state = Lock(begun)
        if let consent { for sink in sinks { sink.setConsent(consent) } }
        change { state in if state.consent != .denied { loadAnonymousID(into: &state, at: clock.milliseconds) } }
    }

    /// The user's id, or the anonymous one until the user is known.
    public var user: String { state.withLock { $0.current } }

    /// The id of the session under way; `nil` before its first event. It may have ended by the rule: the next event tells.
    public var session: String? { state.withLock { $0.session?.id } }

    /// Stamps an event and hands it to every sink.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - system: the name of the loop it came from.
    public func track(_ event: TrackingEvent, system: String? = nil) {
        change { state in
            if state.consent == .denied { return }
            let now = clock.milliseconds
            continueSession(of: &state, at: now)
            var event = event
            if !state.shared.isEmpty { event.properties = event.properties.merging(under: state.shared) }
            emit(event, kind: .track, system: system, at: now, &state)
        }
    }

    /// From now on the events are those of a known user, and what the anonymous id did before belongs to that user, too.
    ///
    /// The same id again changes nothing. Another one while a user is known is a change of user on one device: the session
    /// ends, and nothing is joined.
    public func identify(_ user: String) {
        change { state in
            let now = clock.milliseconds
            if state.user == user { return }
            if state.user != nil {
                state.endSession()
                renewAnonymousID(of: &state, at: now)
                state.user = user
            } else if state.consent == .denied {
                state.user = user
            } else {
                continueSession(of: &state, at: now)
                state.user = user
                state.untoldAnonymous = state.anonymous
                tellAnonymousID(at: now, &state)
            }
        }
    }

    /// Forgets the user, as at a log-out: the session ends, and the next events carry a new anonymous id.
    public func reset() {
        change { state in
            state.endSession()
            state.user = nil
            renewAnonymousID(of: &state, at: clock.milliseconds)
        }
    }

    /// Ends the session; the next event begins a new one.
    public func endSession() {
        state.withLock { $0.endSession() }
    }

    /// Sets a property that every later event has unless it brings the key itself; `nil` takes it away.
    public func setSharedProperty(_ key: String, _ value: TrackingValue?) {
        state.withLock { $0.shared[key] = value }
    }

    /// Sets the share of sessions to track, 0 to 1, from the next session on.
    public func setSampleRate(_ rate: Double) {
        state.withLock { $0.sampleRate = SessionSampling.rate(rate) }
    }

    /// Brings what was tracked so far to where the sinks keep it.
    ///
    /// Every sink is flushed, whatever the others say. What is held in memory while consent is pending stays there.
    ///
    /// - Throws: the first sink's error.
    public func flush() async throws {
        var first: (any Error)?
        for sink in sinks {
            do { try await sink.flush() } catch { first = first ?? error }
        }
        if let first { throw first }
    }

    /// Changes the state under the lock, and says afterwards what went wrong with the anonymous id.
    func change<Result>(_ body: (inout TrackerState) -> Result) -> Result {
        let (result, errors) = state.withLock { state in
            if fork.isInherited { becomeChild(&state) }
            let result = body(&state)
            if state.errors.isEmpty { return (result, [AnonymousIDError]()) }
            defer { state.errors = [] }
            return (result, state.errors)
        }
        for error in errors { onError?(error) }
        return result
    }

    /// The parent goes on with the session, with the numbers that its generator gives, and with the events that it holds.
    private func becomeChild(_ state: inout TrackerState) {
        fork.adopt()
        state.random = state.random.inChild(at: clock.milliseconds)
        state.endSession()
        _ = state.held.take()
        if state.isConsentTold { for sink in sinks { sink.setConsent(state.consent) } }
    }

    private func continueSession(of state: inout TrackerState, at now: Int64) {
        if let session = state.session {
            let isIdle = now.subtractingClamped(session.lastEventAt) > rule.idleMilliseconds
            let isTooLong = now.subtractingClamped(session.startedAt) > rule.longestMilliseconds
            if !isIdle && !isTooLong { return }
            state.endSession()
        }
        loadAnonymousID(into: &state, at: now)
        let id = Hexadecimal.text(state.random.next())
        let isSampled = SessionSampling.includes(id, rate: state.sampleRate)
        state.session = TrackerState.Session(id: id, startedAt: now, isSampled: isSampled, lastEventAt: now)
        if !isSampled { return }
        var properties = context
        properties[MetaEventName.sampleRate] = .double(state.sampleRate)
        if let previous = state.previousSession { properties[MetaEventName.previousSession] = .string(previous) }
        emit(TrackingEvent(MetaEventName.sessionStarted, properties), kind: .meta, system: nil, at: now, &state)
        tellAnonymousID(at: now, &state)
    }

    /// Tells which anonymous id belongs to the user, if no line tells yet. Waits for a session that is sampled.
    private func tellAnonymousID(at now: Int64, _ state: inout TrackerState) {
        guard state.session?.isSampled == true, let anonymous = state.untoldAnonymous.take() else { return }
        let event = TrackingEvent(MetaEventName.identified, ["anonymous": .string(anonymous)])
        emit(event, kind: .meta, system: nil, at: now, &state)
    }

    private func emit(_ event: TrackingEvent, kind: TrackedEvent.Kind, system: String?, at now: Int64, _ state: inout TrackerState) {
        guard var session = state.session.take() else { return }
        // A clock that was set back does not make a session look idle when it is set right again.
        session.lastEventAt = max(now, session.lastEventAt)
        if !session.isSampled {
            state.session = session
            return
        }
        session.sequence += 1
        let tracked = TrackedEvent(
            timeMilliseconds: now, event: event, user: state.current, session: session.id, sequence: session.sequence,
            id: EventID(milliseconds: now, random: &state.random), kind: kind, system: system)
        state.session = session
        if state.consent == .granted {
            for sink in sinks { sink.record(tracked) }
        } else {
            for sink in sinks where sink.spoolsWhilePending { sink.record(tracked) }
            if !heldFor.isEmpty { state.held.add(tracked) }
        }
    }
}
