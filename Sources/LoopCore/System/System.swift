/// The loop: an event goes in, the reducer makes the next state, bindings and middleware see it, one event at a time.
///
/// ```swift
/// let system = System(initialState: .start, reducer: Shop.reduce)
///     .bind { view.render($0) }
///     .attach(.log(), .trace(to: traces), .track(to: tracker, Shop.trackingEvent))
/// system.send(.load("sku-1"))
/// ```
///
/// **Where it lives.** A system is not `Sendable`: it lives on the isolation of whoever made it, the main actor or any other,
/// and calls reducer, bindings and middleware there. It learns the isolation at the first isolated call (``start(isolation:)``,
/// ``send(_:isolation:fileID:line:)``, ``settled(isolation:)``, ``inbox(isolation:)``) and insists on it from then on.
/// States and events need not be `Sendable`. Other threads send through an ``EventInbox``.
///
/// **Order.** Events are reduced in the order `send` accepted them, numbered 1, 2, 3 … without holes. Nothing nests: a `send`
/// from a reducer, a binding or a middleware is queued and runs after the current step, before the outer `send` returns
/// unless asynchronous work is under way.
///
/// **Within a step**: reduce, set the state, bindings in the order they were attached, then middleware, then feedbacks.
///
/// **Life.** Closures that the system keeps should hold views weakly. A system with work in flight is released when its owner
/// lets go; the work is cancelled and its late result dropped. Work runs on the owner's actor and keeps *that* alive until it
/// ends, so an actor that owns a system calls ``stop(isolation:)`` before it expects to go.
public final class System<State, Event> {
    @usableFromInline var current: State
    @usableFromInline let reducer: Reducer<State, Event>
    @usableFromInline let clock: StepClock
    @usableFromInline var home = HomeIsolation()
    @usableFromInline var queue = EventQueue<QueuedEvent<Event>>()
    @usableFromInline var number = 0
    @usableFromInline var isDraining = false
    @usableFromInline var isReducing = false
    /// While a newcomer is shown its first state: what it sends waits until it has returned.
    @usableFromInline var isWelcoming = false
    /// Takes what was sent meanwhile. Made by `send`, because attaching does not know the isolation.
    @usableFromInline var afterWelcome: (() -> Void)?
    @usableFromInline var running: RunningEffect<State, Event>?
    @usableFromInline let observers = Observers<State, Event>()
    /// The last event that was taken, while a middleware asks for effects.
    @usableFromInline var lastEvent: Event?
    /// How many effects were told to middleware.
    var effectCount = 0
    @usableFromInline var pastStates: StateHistory<State>?
    @usableFromInline var waiters: [Sleeper] = []
    @usableFromInline var lanes: ContiguousArray<FeedbackLane<State, Event>> = []
    @usableFromInline let feedbackLimit: FeedbackLimit
    /// How many events the feedbacks have made in the present chain.
    @usableFromInline var feedbackCount = 0
    /// Effects of feedbacks that end by themselves.
    var awaitedEffects = 0
    /// The part of ``inboxSource`` that the hot path asks.
    @usableFromInline var inboxSignal: InboxSignal?
    var inboxSource: (any InboxSource<Event>)?

    /// `true` after ``stop(isolation:)``: whatever is sent from then on is dropped.
    public internal(set) var isStopped = false

    /// `true` while events of the past are taken again. Bindings see the states, feedbacks do not, and whatever is sent meanwhile is dropped.
    public internal(set) var isReplaying = false

    /// The number of the last event that was taken; 0 before the first.
    public var eventNumber: Int { number }

    /// The state as of now. Reading it from inside the system's own reducer is a programming error; the reducer has it as its argument.
    @inlinable
    public var state: State {
        precondition(!isReducing, "System.state was read inside the system's own reducer. Use the state the reducer was given.")
        return current
    }

    /// The last states, oldest first; empty unless a ``HistoryLimit`` was given.
    ///
    /// - Complexity: O(n) in the states kept.
    public var history: [State] { pastStates?.states ?? [] }

    /// A system that has not run yet.
    ///
    /// The reducer comes last, so that it may be a trailing closure.
    ///
    /// - Parameters:
    ///   - initialState: what bindings and middleware see first.
    ///   - history: how many states ``history`` keeps.
    ///   - clock: times the steps, if a middleware asks for timing.
    ///   - feedbacks: start effects; they begin at the first isolated call.
    ///   - maxFeedbackEvents: where a chain of events that feedbacks make of each other is taken for a runaway and stopped.
    ///   - reducer: how an event changes the state.
    public init(
        initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .standard, reducer: Reducer<State, Event>
    ) {
        precondition(maxFeedbackEvents.count >= 0, "maxFeedbackEvents is at least 0; to allow no feedback event at all.")
        current = initialState
        self.reducer = reducer
        self.clock = clock
        feedbackLimit = maxFeedbackEvents
        for part in feedbacks.flatMap(\.parts) { lanes.append(FeedbackLane(part, number: lanes.count + 1)) }
        pastStates = StateHistory(history)
        pastStates?.append(initialState)
    }

    /// A system whose reducer changes the state in place.
    public convenience init(
        initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .standard,
        reducer: @escaping (inout State, Event) -> Void
    ) {
        self.init(
            initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(reducer))
    }

    /// A system whose reducer returns the next state.
    public convenience init(
        initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .standard,
        reducer: @escaping (State, Event) -> State
    ) {
        self.init(
            initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(reducer))
    }

    /// A system whose reducer returns a description of the next state.
    public convenience init(
        initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .standard,
        reducer: @escaping (State, Event) -> Next<State>
    ) {
        self.init(
            initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(reducer))
    }

    deinit {
        running?.task?.cancel()
        for lane in lanes { lane.cancel() }
        _ = inboxSource?.close()
        for waiter in waiters { waiter.wake() }
    }

    /// Tells the system its isolation without sending anything.
    public func start(isolation: isolated any Actor = #isolation) { enter(isolation) }

    /// Takes an event. When nothing is under way it is reduced before this returns, and so is all that follows from it at once;
    /// else it waits its turn.
    ///
    /// - Complexity: O(1) beside what reducer, bindings and middleware do.
    @inlinable
    public func send(
        _ event: Event, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        accept(event, origin: SendOrigin(fileID: fileID, line: line), isolation: isolation)
    }

    @inlinable
    func accept(_ event: Event, origin: SendOrigin, isolation: isolated any Actor) {
        enter(isolation)
        // What the inbox accepted before this goes before it.
        if let inboxSignal, inboxSignal.isRaised { takeFromInbox(isolation: isolation) }
        if isStopped { return }
        let queued = QueuedEvent(event: event, origin: origin, sentAt: observers.needs.contains(.timing) ? clock.nanoseconds : 0)
        if isDraining || running != nil {
            queue.append(queued)
            if isWelcoming { drainAfterWelcome(isolation: isolation) }
            return
        }
        isDraining = true
        feedbackCount = 0
        take(queued, isolation: isolation)
        drain(isolation: isolation)
    }

    /// Runs what waits until nothing does, or until asynchronous work begins. The caller has set `isDraining`.
    @inlinable
    func drain(isolation: isolated any Actor) {
        while running == nil, !isStopped, let queued = queue.popFirst() {
            if let place = queued.place {
                take(queued, at: place, isolation: isolation)
            } else {
                feedbackCount = 0
                take(queued, isolation: isolation)
            }
        }
        isDraining = false
        if !waiters.isEmpty { wakeWaiters() }
    }

    /// Makes sure that this is the system's isolation; the first time, that is where it begins.
    @inlinable
    func enter(_ isolation: isolated any Actor) {
        if claim(isolation) { begin(isolation: isolation) }
    }

    /// - Returns: whether this was the first call.
    @inlinable
    func claim(_ isolation: any Actor) -> Bool { home.claim(isolation, for: "System") }

    /// One event from the queue to its end, or to where its work begins.
    @inlinable
    func take(_ queued: QueuedEvent<Event>, isolation: isolated any Actor) {
        number += 1
        let previous = observers.needs.contains(.previousState) ? current : nil
        let timed = observers.needs.contains(.timing)
        let startedAt = timed ? clock.nanoseconds : 0
        if observers.needs.contains(.effects) { lastEvent = queued.event }
        isReducing = true
        switch reducer.form {
        case .inPlace(let reduce): reduce(&current, queued.event)
        case .returning(let reduce): current = reduce(current, queued.event)
        case .describing(let reduce):
            switch reduce(current, queued.event).plan {
            case .value(let state): current = state
            case .work(let work, let loading):
                isReducing = false
                let timing = timed ? Self.timing(queued, startedAt: startedAt, reducedAt: clock.nanoseconds) : nil
                run(work, loading: loading, for: queued, previous: previous, timing: timing, isolation: isolation)
                return
            }
        }
        isReducing = false
        let timing = timed ? Self.timing(queued, startedAt: startedAt, reducedAt: clock.nanoseconds) : nil
        publish(.settled, of: queued, number: number, previous: previous, timing: timing, outcome: .finished)
        if !lanes.isEmpty { tellFeedbacks(queued.event, isolation: isolation) }
    }

    @inlinable
    static func timing(_ queued: QueuedEvent<Event>, startedAt: UInt64, reducedAt: UInt64) -> StepTiming {
        StepTiming(
            startedAt: startedAt, queueWait: queued.sentAt == 0 ? 0 : startedAt &- queued.sentAt,
            reduce: reducedAt &- startedAt, bindings: 0)
    }

    /// Shows the state to the bindings, then to the middleware.
    ///
    /// Who is attached while this runs was not there when the state was set; it has seen the state in its own initial step.
    @inlinable
    func publish(
        _ phase: Step<State, Event>.Phase, of queued: QueuedEvent<Event>, number: Int, previous: State?, timing: StepTiming?,
        outcome: Step<State, Event>.Outcome?
    ) {
        pastStates?.append(current)
        if observers.isEmpty { return }
        observers.publish(current, timing: timing, clock: clock) { timing in
            step(phase, of: queued, number: number, previous: previous, timing: timing, outcome: outcome)
        }
    }

    /// Shows a step to the middleware alone.
    func notify(
        _ phase: Step<State, Event>.Phase, of queued: QueuedEvent<Event>, number: Int, previous: State?, timing: StepTiming?,
        outcome: Step<State, Event>.Outcome?
    ) {
        observers.notify(
            step(phase, of: queued, number: number, previous: previous, timing: timing, outcome: outcome), clock: clock)
    }

    @inlinable
    func step(
        _ phase: Step<State, Event>.Phase, of queued: QueuedEvent<Event>, number: Int, previous: State?, timing: StepTiming?,
        outcome: Step<State, Event>.Outcome?
    ) -> Step<State, Event> {
        Step(
            number: number, event: queued.event, phase: phase, state: current, previousState: previous, timing: timing,
            origin: queued.origin, outcome: outcome, isReplay: isReplaying)
    }
}
