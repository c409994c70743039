import Basics
import Synchronization
public import TrackingEvents

/// Stamps events with user, time, session and number, and hands them to the sinks.
///
/// ```swift
/// let tracker = Tracker(to: try EventFileWriter(folder: "events"), anonymousIDs: AnonymousIDFile(path: "anonymous-id"))
/// let system = System(initialState: .start, reducer: Shop.reduce)
///     .attach(.track(to: tracker, Shop.trackingEvent))
/// tracker.identify("u17")
/// ```
/// **Any thread** may call. Every sink gets the events of a session in the order of their sequence numbers. The tracker's lock is held for
/// stamping and quick hand-over only: the anonymous id is read and kept outside it. When a sink waits for room
/// (`OverflowPolicy.block`), threads that track, identify, set consent or erase wait for their turn. Other calls do not wait.
///
/// **Sessions.** A session belongs to one tracker, which several systems may share. It begins with the first event, with a
/// `session_started` line that has the context of all its events, and ends by ``SessionRule``, ``endSession()``, ``reset()`` or with it.
///
/// **Users.** Until ``identify(_:)`` events carry an anonymous id, which starts with `a-`. With an ``AnonymousIDStore``, earlier runs and
/// other processes share it; it is read again at the beginning of each session, so that a ``reset()`` elsewhere reaches this tracker.
///
/// **Consent.** An app that asks people passes `consent` and calls ``setConsent(_:)``. While it is denied, nothing is numbered or handed
/// on. While it is pending, sinks that can keep events apart do so (event files, in `.pending/`); for others they are held in memory.
///
/// **Sampling.** A rate below 1 tracks that share of the sessions, not of the people: each session is whole. `session_started` has it.
///
/// **After `fork`** the child's tracker drops and counts events, hands its sinks nothing, and reports ``TrackerError/inForkedChild`` once.
/// ``flush()``, ``suspend()`` and ``resume()`` go to the sinks there, too.
public final class Tracker: EventTracker {
    let state: Lock<TrackerState>
    let sinks: [any TrackingSink]
    /// The indices of the sinks for which events are held while consent is pending.
    let heldFor: [Int]
    let clock: WallClock
    let anonymousIDs: (any AnonymousIDStore)?
    /// Held while the store is used, so that its calls come in order. Taken before ``state``, never within it. Its value is no `Void`: an
    /// empty value shares its address with the mutex, and the thread sanitizer reports a race.
    let storeLock = Lock(0)
    /// Held by the thread that delivers waiting events. Taken before ``state``, never within it.
    private let deliveryLock = Lock(0)
    /// The last change of ``appLife``.
    let lifeChange = Lock<Task<Void, Never>?>(nil)
    /// The thread that holds ``deliveryLock``, as `PosixThread.current` names it; 0 for none.
    private let deliverer = Atomic(UInt(0))
    private let rule: SessionRule
    private let onError: (@Sendable (TrackerError) -> Void)?
    private let fork = ForkGuard()
    private let hasReportedFork = Atomic(false)
    /// Under no lock: in the child of a `fork` a thread that is not there may hold that lock.
    private let droppedEvents = Atomic(0)

    /// A tracker without a session yet.
    ///
    /// - Parameters:
    ///   - sinks: each gets every event.
    ///   - anonymousID: the id until the user is known, if the app keeps it itself. `nil` makes a new one, or reads `anonymousIDs`.
    ///   - anonymousIDs: where the anonymous id is kept from run to run.
    ///   - context: app, device and system; written once a session. ``setContext(_:)`` changes it.
    ///   - sharedProperties: added to every event that does not have the key itself.
    ///   - rule: when a session ends by itself.
    ///   - consent: the person's answer so far. `nil` means that the app asks nobody: everything is tracked, and the sinks keep whatever
    ///     consent they have. `.granted` publishes what earlier runs kept in `.pending/`; `.denied` erases that and the kept anonymous id.
    ///   - sampleRate: the share of sessions to track, 0 to 1. Retention, or a funnel by user over several sessions, is then counted too low.
    ///   - clock: stamps the events.
    ///   - random: the source of ids. A fixed seed repeats them: for tests and simulations only.
    ///   - onError: called from whichever thread noticed, with no lock held.
    public init(
        to sinks: any TrackingSink..., user: String? = nil, anonymousID: String? = nil,
        anonymousIDs: (any AnonymousIDStore)? = nil, context: TrackingProperties = [:], sharedProperties: TrackingProperties = [:],
        rule: SessionRule = SessionRule(), consent: TrackingConsent? = nil, sampleRate: Double = 1, clock: WallClock = .system,
        random: SeededRandom = SeededRandom(), onError: (@Sendable (TrackerError) -> Void)? = nil
    ) {
        (self.sinks, heldFor) = (sinks, sinks.indices.filter { !sinks[$0].spoolsWhilePending })
        (self.clock, self.rule, self.anonymousIDs, self.onError) = (clock, rule, anonymousIDs, onError)
        var begun = TrackerState(
            user: user, anonymous: anonymousID ?? "", shared: sharedProperties, context: context, consent: consent,
            sampleRate: SessionSampling.rate(sampleRate), delivery: SinkDelivery(to: sinks), random: random)
        if anonymousID == nil { begun.anonymous = begun.newAnonymousID(at: clock.milliseconds) }
        if consent == .denied { begun.storeChange = .remove }
        state = Lock(begun)
        if let consent { for sink in sinks { sink.setConsent(consent) } }
        readAnonymousID()
        // The first session reads again: the store may be readable by then.
        state.withLock { $0.isStoreRead = false }
    }

    /// The user's id, or the anonymous one until the user is known.
    public var user: String { state.withLock { $0.current } }

    /// The current session's id; `nil` before its first event. The session may have ended by the rule: the next event decides.
    public var session: String? { state.withLock { $0.session?.id } }

    /// How many events were dropped, because memory had no room while consent was pending, or in the child of a `fork`. Once consent is
    /// granted, a `dropped` meta event counts the former by session.
    public var dropped: Int { droppedEvents.load(ordering: .relaxed) }

    /// Stamps an event and hands it to every sink. If it names a user, it is stamped with that one, as ``scoped(user:session:)`` does.
    ///
    /// - Parameter system: the name of the loop it came from.
    public func track(_ event: TrackingEvent, system: String? = nil) {
        if case .user(let user, let session) = event.person { return track(event, user: user, session: session, system: system) }
        let isOurs = changeInSession { state, now in
            // Where nothing is added, the event is not copied.
            if state.shared.isEmpty { return emit(event, kind: .track, system: system, at: now, &state) }
            emit(event.sharing(state.shared), kind: .track, system: system, at: now, &state)
        }
        if !isOurs { droppedEvents.wrappingAdd(1, ordering: .relaxed) }
    }

    private func track(_ event: TrackingEvent, user: String, session: String?, system: String?) {
        let isOurs: Void? = change { state in
            if state.consent == .denied { return }
            let now = clock.milliseconds
            func hand(_ event: TrackingEvent, _ sequence: Int64?, kind: StampedEvent.Kind, system: String?) {
                let id = EventID(milliseconds: now, random: &state.random)
                self.hand(
                    StampedEvent(
                        timeMilliseconds: now, event: event, user: user, session: session, sequence: sequence, id: id, kind: kind,
                        system: system), &state)
            }
            let event = TrackingEvent(event.name, event.properties).sharing(state.shared)
            guard let session else { return hand(event, nil, kind: .track, system: system) }
            let next = state.scoped.next(in: session, at: now, rule: rule, rate: state.sampleRate)
            if !next.isSampled { return }
            if next.sequence > 1 { return hand(event, next.sequence, kind: .track, system: system) }
            hand(sessionStarted(state), 1, kind: .meta, system: nil)
            let second = state.scoped.next(in: session, at: now, rule: rule, rate: state.sampleRate)
            hand(event, second.sequence, kind: .track, system: system)
        }
        if isOurs == nil { droppedEvents.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Makes a user known: later events are that user's, and what the anonymous id did before belongs to that user, too.
    ///
    /// The same id again changes nothing. Another id while a user is known is a change of user on one device: the session
    /// ends, nothing is joined, and the next session does not name this one.
    public func identify(_ user: String) {
        let isAnonymous = change { state in
            if state.user == user { return false }
            if state.user == nil && state.consent != .denied { return true }
            if state.user != nil { state.beginAnew(at: clock.milliseconds) }
            state.user = user
            return false
        }
        guard isAnonymous == true else { return }
        var isDone = false
        let isOurs = changeInSession { state, now in
            if state.user != nil { return }
            isDone = true
            state.user = user
            state.unlinkedAnonymous = state.anonymous
            linkAnonymousID(at: now, &state)
        }
        // Another thread identified or denied in between.
        if !isDone && isOurs { identify(user) }
    }

    /// Forgets the user, as at a log-out: the session ends, and the next events carry a new anonymous id. The next session does not name
    /// this one. A store gets the new id a moment later, on another thread; ``flush()`` waits for that.
    public func reset() {
        change { state in
            state.user = nil
            state.beginAnew(at: clock.milliseconds)
        }
    }

    /// Ends the session; the next event begins a new one.
    public func endSession() { change { $0.endSession() } }

    /// Sets a property that every later event has unless it brings the key itself; `nil` removes it.
    public func setSharedProperty(_ value: TrackingValue?, forKey key: String) { change { $0.shared[key] = value } }

    /// Sets what is written once a session, such as the app's version or the plan: from the next session on.
    public func setContext(_ context: TrackingProperties) { change { $0.context = context } }

    /// Sets the share of sessions to track, 0 to 1, from the next session on.
    public func setSampleRate(_ rate: Double) { change { $0.sampleRate = SessionSampling.rate(rate) } }

    /// Makes every sink bring what was tracked so far to where it keeps it, and the store keep the anonymous id.
    ///
    /// Every sink is flushed, even if another fails. Events held in memory while consent is pending stay there.
    ///
    /// - Returns: what was taken and lost, by each sink and by the tracker. A flush cannot bring back what was dropped before it: look at
    ///   ``TrackerReceipt/isComplete(since:)``.
    /// - Throws: the first sink's error.
    @discardableResult
    public func flush() async throws -> TrackerReceipt {
        // In the child of a `fork` a thread that is not there may hold the locks.
        if !fork.isInherited { changeStore() }
        return TrackerReceipt(sinks: try await forEachSink { try await $0.flush() }, dropped: dropped)
    }

    /// Asks every sink, even if another fails, and then throws the first sink's error.
    func forEachSink<Answer>(_ ask: (any TrackingSink) async throws -> Answer) async throws -> [Answer] {
        var (answers, first): ([Answer], (any Error)?) = ([], nil)
        for sink in sinks { do { answers.append(try await ask(sink)) } catch { first = first ?? error } }
        if let first { throw first }
        return answers
    }

    // MARK: Under the lock, and after it

    /// Changes the state under the lock. Afterwards, with the lock free, delivers what waits for a sink and changes the store. In the child
    /// of a `fork` it does not call `body` and returns `nil`.
    @discardableResult
    func change<Result>(_ body: (inout TrackerState) -> Result) -> Result? {
        if fork.isInherited {
            if !hasReportedFork.exchange(true, ordering: .relaxed) { onError?(.inForkedChild) }
            return nil
        }
        let (result, mustDeliver, storeChange) = state.withLock { state in
            let (waiting, wasReplaced) = (state.delivery.count, state.storeChange == .replace)
            let result = body(&state)
            // Compared before asking whether there is a store, because asking retains the store.
            let storeChange = wasReplaced && state.storeChange == .replace ? nil : state.storeChange
            return (result, state.delivery.count > waiting, storeChange != nil && anonymousIDs != nil ? storeChange : nil)
        }
        if mustDeliver { deliverWaiting() }
        switch storeChange {
        case nil: break
        // At once: who takes consent back may rely on it.
        case .remove: changeStore()
        case .replace: changeStoreLater()
        }
        return result
    }

    /// Changes the state within a session, a new one if the last has ended. Nothing happens while consent is denied. A new session needs
    /// the kept anonymous id, which is read with the lock free; then the state is looked at again. `false` in the child of a `fork`.
    @discardableResult
    private func changeInSession(_ body: (inout TrackerState, _ now: Int64) -> Void) -> Bool {
        while true {
            let isDone = change { state in
                if state.consent == .denied { return true }
                let now = clock.milliseconds
                guard continueSession(of: &state, at: now) else { return false }
                body(&state, now)
                return true
            }
            guard let isDone else { return false }
            if isDone { return true }
            readAnonymousID()
        }
    }

    /// Brings what waits to the sinks, in order. Returns when all that waited at the call is delivered, by whichever thread.
    private func deliverWaiting() {
        // What a sink's own code tracks is delivered after the event that it was given.
        if deliverer.load(ordering: .relaxed) == PosixThread.current { return }
        deliveryLock.withLock { _ in
            deliverer.store(PosixThread.current, ordering: .relaxed)
            defer { deliverer.store(0, ordering: .relaxed) }
            while let next = state.withLock({ $0.delivery.first }) {
                next.item.deliver(to: next.sink)
                state.withLock { $0.delivery.removeFirst() }
            }
        }
    }

    func report(_ errors: [AnonymousIDError]) { for error in errors { onError?(.anonymousID(error)) } }

    // MARK: Sessions and numbers

    /// - Returns: `false` if a session is to begin and the store has to be read before.
    private func continueSession(of state: inout TrackerState, at now: Int64) -> Bool {
        if let session = state.session {
            if !rule.hasEnded(startedAt: session.startedAt, lastEventAt: session.lastEventAt, now: now) { return true }
            state.endSession()
        }
        if anonymousIDs != nil && state.user == nil && !state.isStoreRead { return false }
        let id = Hexadecimal.text(state.random.next())
        let isSampled = SessionSampling.includes(id, rate: state.sampleRate)
        state.session = TrackerState.Session(id: id, startedAt: now, isSampled: isSampled, lastEventAt: now)
        if !isSampled { return true }
        var started = sessionStarted(state)
        if let previous = state.previousSession { started.properties[MetaEventName.previousSession] = .string(previous) }
        emit(started, kind: .meta, system: nil, at: now, &state)
        linkAnonymousID(at: now, &state)
        return true
    }

    private func sessionStarted(_ state: TrackerState) -> TrackingEvent {
        var properties = state.context
        properties[MetaEventName.sampleRate] = .double(state.sampleRate)
        return TrackingEvent(MetaEventName.sessionStarted, properties)
    }

    /// Emits which anonymous id belongs to the user, if no line says so yet. Deferred until a sampled session.
    private func linkAnonymousID(at now: Int64, _ state: inout TrackerState) {
        guard state.session?.isSampled == true, let anonymous = state.unlinkedAnonymous.take() else { return }
        emit(TrackingEvent(MetaEventName.identified, ["anonymous": .string(anonymous)]), kind: .meta, system: nil, at: now, &state)
    }

    private func emit(_ event: TrackingEvent, kind: StampedEvent.Kind, system: String?, at now: Int64, _ state: inout TrackerState) {
        guard let sequence = state.session?.next(at: now) else { return }
        hand(
            StampedEvent(
                timeMilliseconds: now, event: event, user: state.current, session: state.session?.id, sequence: sequence,
                id: EventID(milliseconds: now, random: &state.random), kind: kind, system: system), &state)
    }

    /// Hands an event to the sinks. While consent is pending, holds it for the sinks that cannot keep it apart.
    private func hand(_ event: borrowing StampedEvent, _ state: inout TrackerState) {
        if state.consent != .pending { return state.delivery.hand(event) }
        for index in sinks.indices where sinks[index].spoolsWhilePending { state.delivery.hand(event, toSinkAt: index) }
        if !heldFor.isEmpty, !state.held.add(copy event) { droppedEvents.wrappingAdd(1, ordering: .relaxed) }
    }
}

extension TrackingEvent {
    /// This event with shared properties for the keys that it does not bring itself.
    fileprivate func sharing(_ shared: TrackingProperties) -> TrackingEvent {
        shared.isEmpty ? self : TrackingEvent(name, properties.merging(under: shared))
    }
}
