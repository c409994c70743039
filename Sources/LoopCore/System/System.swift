/// The loop: an event goes in, the reducer makes the next state, bindings and middleware see it, one event at a time.
///
/// ```swift
/// let system = System(name: "shop", initialState: Shop.State.start, reducer: Shop.reduce)
///     .bind { view.render($0) }
///     .attach(.log(), .measure(into: measurements), .track(to: tracker, Shop.trackingEvent))
///     .start()
/// system.send(.load("sku-1"))
/// ```
///
/// **Where it lives.** A system is not `Sendable`: it lives on the isolation of whoever made it, the main actor or any other,
/// and calls reducer, bindings and middleware there. It learns the isolation at the first isolated call (``start(isolation:)``,
/// ``send(_:isolation:fileID:line:)``, ``settled(isolation:)``, ``inbox(isolation:)``) and stops the program at a call from elsewhere.
/// States and events need not be `Sendable`. Other threads send through an ``EventInbox``.
///
/// **Order.** Events are reduced in the order `send` accepted them, numbered 1, 2, 3 … without holes. Nothing nests: a `send` from a
/// reducer, a binding or a middleware is queued and runs after the current step, before the outer `send` returns unless work is under way.
///
/// **Within a step**: reduce, set the state, bindings as they were attached, middleware, the effects that the reducer returned, feedbacks.
///
/// **Life.** Closures that the system keeps should hold views weakly. A system with work in flight is released when its owner lets go; the
/// work is cancelled and its late result dropped. Work runs on the owner's actor and keeps the actor alive until it ends, so an actor that
/// owns a system calls ``stop(isolation:)`` before it expects to go.
public final class System<State, Event>: Settling {
    // Unchecked, here and in `Observers`: the run-time checks at each step would take more time than all else. No user code runs during an
    // access, except a reducer that changes `current` in place. Meanwhile whatever reads `current`, such as ``state``, stops the program.
    @exclusivity(unchecked) @usableFromInline var current: State
    @usableFromInline let reducer: Reducer<State, Event>
    @usableFromInline let clock: StepClock
    @usableFromInline package let observers: Observers<State, Event>
    @exclusivity(unchecked) @usableFromInline var home = HomeIsolation()
    @exclusivity(unchecked) @usableFromInline package internal(set) var standing = Standing(.new, .idle)
    /// The `Next` that works now; until it has ended, events wait.
    @exclusivity(unchecked) @usableFromInline var nextRun: NextRun<State, Event>?
    @exclusivity(unchecked) @usableFromInline var queue = EventQueue<QueuedEvent<Event>>()
    @exclusivity(unchecked) @usableFromInline var number = 0
    /// The last states, at most `pastLimit` of them.
    @exclusivity(unchecked) var pastStates = EventQueue<State>()
    @usableFromInline let pastLimit: Int
    @usableFromInline let lanes: ContiguousArray<FeedbackLane<State, Event>>
    @usableFromInline let feedbackLimit: FeedbackLimit
    @exclusivity(unchecked) @usableFromInline var chain = FeedbackChain()
    /// The effects that have a name or that the reducer returned; `nil` before the first of them that ``begin(_:isolation:)`` begins.
    @exclusivity(unchecked) @usableFromInline var effects: NamedEffects<State, Event>?
    @usableFromInline let notes = StepNotes<State, Event>()
    /// How many of the running effects ``settled(isolation:)`` waits for.
    var awaitedEffects = 0
    /// What led to the event that is being taken; `nil` for one from outside. Only middleware that asks for effects is told.
    @usableFromInline var causeOfTaken: SendCause?
    /// Whether the system may be released before its feedbacks begin; otherwise that is reported as a mistake.
    var mayNeverStart = false
    var effectCount = 0
    /// How many of the first waiting events are known not to interrupt a `Next`: the answer for an event never changes.
    @exclusivity(unchecked) @usableFromInline var asked = 0
    @exclusivity(unchecked) @usableFromInline var inboxCore: InboxCore<Event>?
    @exclusivity(unchecked) @usableFromInline package var waiters = Numbered<Sleeper>()

    /// `true` after ``stop(isolation:)``: whatever is sent from then on is dropped.
    public var isStopped: Bool { standing.life == .stopped }

    /// `true` while events of the past are taken again. Bindings see the states, feedbacks do not. What is sent meanwhile is dropped.
    @inlinable package var isReplaying: Bool { standing.life == .replaying }

    package var isWorking: Bool { nextRun != nil }

    /// The name that middleware learns: logs, traces, measurements and tracked events carry it.
    public var name: String? { observers.loop.name }

    /// The number of the last event that was taken; 0 before the first.
    public var eventNumber: Int { number }

    /// The state as of now. Reading it from inside the system's own reducer is a programming error; the reducer has it as its argument.
    @inlinable
    public var state: State {
        precondition(
            standing.turn != .reducing, "System.state was read inside the system's own reducer. Use the state the reducer was given.")
        return current
    }

    /// The last states, oldest first; empty unless a ``HistoryLimit`` was given.
    ///
    /// - Complexity: O(n) in the states kept.
    public var history: [State] { pastStates.elements }

    /// A system that has not run yet.
    ///
    /// - Parameters:
    ///   - name: distinguishes several systems in traces, measurements and tracked events.
    ///   - initialState: what bindings and middleware see first.
    ///   - history: how many states ``history`` keeps.
    ///   - clock: times the steps, if a middleware asks for timing, and the delays of effects.
    ///   - feedbacks: start effects; they begin at the first isolated call, such as ``start(isolation:)``.
    ///   - maxFeedbackEvents: stops a chain of events that effects send because of each other, by default after 1,000 in a row.
    ///   - reducer: how an event changes the state.
    public init(
        name: String? = nil, initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .defaultLimit, reducer: Reducer<State, Event>
    ) {
        precondition(maxFeedbackEvents.count >= 0, "maxFeedbackEvents is at least 0; 0 allows no feedback event at all.")
        observers = Observers(of: LoopInfo(name: name))
        current = initialState
        self.reducer = reducer
        self.clock = clock
        feedbackLimit = maxFeedbackEvents
        lanes = ContiguousArray(feedbacks.flatMap(\.parts).enumerated().map { FeedbackLane($1, number: $0 + 1) })
        pastLimit = if case .last(let count) = history { count } else { 0 }
        precondition(history == .off || pastLimit > 0, "A history keeps at least one state; use .off for none.")
        if pastLimit > 0 { pastStates.append(initialState) }
    }

    deinit {
        if standing.life == .new && !lanes.isEmpty && !mayNeverStart { Misuse.neverStarted(Self.self) }
        nextRun?.cancel()
        cancelEffects()
        inboxCore?.close()
    }

    /// Begins the feedbacks with the initial state, without an event. A later call does nothing.
    ///
    /// Call it at the end of the chain that makes a system: `System(…).bind { … }.attach(…).start()`. Any isolated call except
    /// ``stop(isolation:)`` begins the feedbacks. Events that they send at once are reduced before this returns; work comes later.
    @discardableResult
    public func start(isolation: isolated any Actor = #isolation) -> Self {
        enter(isolation)
        return self
    }

    /// Takes an event. When nothing is under way it is reduced before this returns, with all that follows from it at once; else it waits.
    ///
    /// - Complexity: O(1) beside reducer, bindings, middleware and feedbacks, and O(n) in the running effects of parts that may be missing.
    @inlinable
    public func send(_ event: Event, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line) {
        accept(event, origin: SendOrigin(fileID: fileID, line: line), isolation: isolation)
    }

    @inlinable
    func accept(_ event: Event, origin: SendOrigin, isolation: isolated any Actor) {
        enter(isolation)
        // Events that the inbox accepted earlier go before this one.
        if let inboxCore, inboxCore.isRaised { takeFromInbox(isolation: isolation) }
        // Events sent to a stopped system, or during a replay, are dropped.
        if standing.life != .live { return }
        let queued = QueuedEvent(event: event, origin: origin, sentAt: observers.needs.contains(.timing) ? clock.nanoseconds : 0)
        if standing.turn != .idle || nextRun != nil {
            let isLed = standing.turn != .idle && standing.turn != .greeting && observers.needs.contains(.effects)
            queue.append(isLed ? ledByStep(queued) : queued)
            if nextRun != nil { attendWork() }
            return
        }
        chain.begin()
        perform(isolation: isolation) { take(queued, isolation: isolation) }
    }

    /// Makes sure that this is the system's isolation; the first time, the feedbacks begin.
    @inlinable
    func enter(_ isolation: isolated any Actor) { if claim(isolation) { showFeedbacks(nil, isolation: isolation) } }

    /// - Returns: whether this was the first call.
    @inlinable
    func claim(_ isolation: any Actor) -> Bool {
        guard home.claim(isolation, for: "System") else { return false }
        standing.life = .live
        return true
    }

    /// Runs a turn: `body`, then waiting events until none waits or a `Next` works. Inside another turn `body` becomes a part of that.
    @inlinable
    func perform(isolation: isolated any Actor, _ body: () -> Void) {
        if standing.turn != .idle { return body() }
        standing.turn = .draining
        body()
        if !queue.isEmpty { takeWaiting(isolation: isolation) }
        endTurn()
    }

    /// Runs a turn of user code alone: events sent meanwhile wait for the next turn. Inside another turn `body` becomes a part of that.
    func occupy(_ turn: Standing.Turn = .draining, _ body: () -> Void) {
        if standing.turn != .idle { return body() }
        standing.turn = turn
        body()
        endTurn()
    }

    @inlinable
    func endTurn() {
        standing.turn = .idle
        // Work may have been ended inside the turn, and gets its last step now.
        if nextRun != nil { attendWork() }
        if !waiters.isEmpty { wakeWaiters() }
    }

    /// Takes one event: reduces it and shows the state, or lets its `Next` work. States may be large: copies of them lie in ``StepNotes``
    /// or on the stack of functions that are not inlined, never on the stack of this one.
    @inlinable
    func take(_ queued: QueuedEvent<Event>, isolation: isolated any Actor) {
        number += 1
        if !observers.needs.isEmpty {
            if observers.needs.contains(.effects) { notifyTaken(queued) }
            notes.prepare(for: queued, observers.needs, clock)
            keepPrevious()
        }
        standing.turn = .reducing
        let effect: Effect<Event>
        switch reducer.form {
        case .inPlace(let reduce):
            reduce(&current, queued.event)
            effect = .none
        case .effecting(let reduce): effect = reduce(&current, queued.event)
        case .describing(let describe): return takeDescribed(queued, describe, isolation: isolation)
        }
        standing.turn = .draining
        if notes.timing != nil { notes.endReducing(clock) }
        publish(.settled, of: queued, number: number, outcome: .finished)
        if leadsOn(effect) { follow(queued, effect, isolation: isolation) }
        if notes.isInUse { notes.clear() }
    }

    /// Notes the state before a step, if a middleware asks for it. Not inlined, as it copies the state.
    @inlinable
    @inline(never)
    func keepPrevious() { if observers.needs.contains(.previousState) { notes.keep(current) } }

    /// Takes waiting events until none waits or a `Next` works.
    @inlinable
    @inline(never)
    func takeWaiting(isolation: isolated any Actor) {
        while nextRun == nil, standing.life != .stopped, let queued = queue.popFirst() {
            if asked > 0 { asked -= 1 }
            takeQueued(queued, isolation: isolation)
        }
    }

    /// Shows the state to the bindings, then its step to the middleware.
    @inlinable
    func publish(_ phase: StepPhase, of queued: QueuedEvent<Event>, number: Int, outcome: Outcome?) {
        if pastLimit > 0 { remember() }
        if observers.isEmpty { return }
        // Read before the bindings are called, because a binding may stop the system or attach middleware.
        let isReplay = isReplaying
        let attached = observers.middleware
        if !observers.bindings.isEmpty { showBindings() }
        if !attached.isEmpty { show(attached, phase, of: queued, number: number, outcome: outcome, isReplay: isReplay) }
    }

    @inlinable
    @inline(never)
    func showBindings() {
        if notes.timing == nil { return observers.show(current) }
        let beganAt = clock.nanoseconds
        observers.show(current)
        notes.timing?.shownAt = beganAt
        notes.timing?.bindings = clock.nanoseconds &- beganAt
    }

    @inlinable
    @inline(never)
    func show(
        _ attached: ContiguousArray<AttachedMiddleware<State, Event>>, _ phase: StepPhase, of queued: QueuedEvent<Event>, number: Int,
        outcome: Outcome?, isReplay: Bool
    ) {
        var step = Step(number: number, queued, phase: phase, state: current, notes, outcome: outcome, isReplay: isReplay)
        observers.notify(attached, &step, clock: clock)
    }

    /// Shows the end of an event that sets no more states: to the middleware, not to the bindings.
    func end(_ queued: QueuedEvent<Event>, number: Int, timing: StepTiming? = nil, _ outcome: Outcome, isReplay: Bool = false) {
        if observers.middleware.isEmpty { return }
        keepPrevious(timing)
        show(observers.middleware, .settled, of: queued, number: number, outcome: outcome, isReplay: isReplay)
        notes.clear()
    }

    /// Whether an event that was reduced can lead to anything.
    @inlinable
    func leadsOn(_ effect: Effect<Event>) -> Bool { if case .none = effect.content { effects != nil || !lanes.isEmpty } else { true } }

    /// Begins what an event leads to. Not inlined, as it copies the event, and most events lead to nothing.
    @inlinable
    @inline(never)
    func follow(_ queued: QueuedEvent<Event>, _ effect: Effect<Event>, isolation: isolated any Actor) {
        follow(queued.event, effect, isolation: isolation)
    }

    /// Begins what an event leads to: the effects that its reducer returned, then those of the feedbacks.
    @inlinable
    func follow(_ event: Event?, _ effect: Effect<Event>, isolation: isolated any Actor) {
        if effects != nil { endMissingParts() }
        switch effect.content {
        case .none: break
        case .event(let event):
            if observers.needs.contains(.effects) {
                begin(effect, isolation: isolation)
            } else if standing.life == .live {
                queue.append(QueuedEvent(event: event, origin: .unknown, sentAt: sendTime, depth: chain.depth + 1))
            }
        case .groups: begin(effect, isolation: isolation)
        }
        if !lanes.isEmpty { showFeedbacks(event, isolation: isolation) }
    }

    /// Ends the system: cancels the work under way and all effects, drops the events that wait, and ignores whatever is sent from now on.
    ///
    /// The state stays as it is and bindings see nothing more. Middleware sees one last step, `.cancelled`, if work was under way. If a
    /// step is under way, all observers still see it, and the last step comes after it.
    ///
    /// - Returns: how many waiting events were dropped, those in the ``EventInbox`` included. 0 when it was stopped before.
    @discardableResult
    public func stop(isolation: isolated any Actor = #isolation) -> Int {
        _ = claim(isolation)
        if isStopped { return 0 }
        standing.life = .stopped
        var dropped = inboxCore?.close() ?? 0
        let removed = queue.removeAll()
        removed.forEach { if $0.position?.isEmpty != true { dropped += 1 } }
        // In a turn, so that the last step comes after all cancellations.
        occupy {
            cancelEffects()
            nextRun?.cancel()
        }
        observers.endReaders()
        wakeWaiters()
        // Released last: the deinit of an event may call the system, which has cancelled its work by then.
        withExtendedLifetime(removed) {}
        return dropped
    }

    /// Returns when no event waits, the inbox holds nothing and no work runs; at once if that is so now, or if the system was stopped.
    ///
    /// It waits for effects that end by themselves (``Effect/run(_:fileID:line:)``), and not for streams and sources, which may never end.
    ///
    /// Do not call it from the system's own effects or the work of a ``Next``: they would wait for their own end. Tests use it in place of
    /// sleeping. It also returns when the waiting task is cancelled; ``isSettled`` says which it was.
    public func settled(isolation: isolated any Actor = #isolation) async {
        enter(isolation)
        await sleepUntilSettled(isolation: isolation)
    }

    /// Whether no event waits and nothing runs that ``settled(isolation:)`` waits for; also `true` once the system is stopped.
    public var isSettled: Bool {
        isStopped || (standing.turn == .idle && nextRun == nil && awaitedEffects == 0 && queue.isEmpty && inboxCore?.isEmpty ?? true)
    }
}
