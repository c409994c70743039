/// One effect that runs: its tasks, its sources, and the queue positions of its events that wait.
final class EffectRun<State, Event> {
    private weak var system: System<State, Event>?
    /// The depth, in the chain that led to this effect, of the events that it sends.
    private let depth: Int
    /// Whether ``begin(_:isolation:)`` is under way: events sent meanwhile belong to the chain that led to this effect.
    private var isBeginning = false
    private var isCancelled = false
    private var tasks: [Task<Void, Never>] = []
    private var detachments: [() -> Void] = []
    private var unfinished = 0
    private var awaited = 0
    /// Queue positions of this run's waiting events, in queue order; taken ones are trimmed lazily.
    private var positions = EventQueue<QueuePosition<Event>>()
    /// Empty queue positions of the run that this one replaced. The first events of this one take them.
    private var inherited: EventQueue<QueuePosition<Event>>
    private let name: String
    private let cause: SendCause
    /// Set after middleware was told of the effect's beginning, until it is told of the end.
    private var notice: EffectNotice<Event>?
    /// The first error of one of the effect's parts; a `CancellationError` only while there is no other.
    private var failure: (any Error)?

    init(_ name: String, in system: System<State, Event>, inherited: EventQueue<QueuePosition<Event>> = EventQueue()) {
        self.name = name
        cause = SendCause(number: system.number, feedback: name)
        self.system = system
        self.inherited = inherited
        depth = system.chain.depth + 1
    }

    deinit { endWork() }

    var isRunning: Bool { !isCancelled && (unfinished > 0 || !detachments.isEmpty) }

    /// Whether the effect has ended and none of its events waits.
    var isSpent: Bool {
        positions.trimEmpty()
        return !isRunning && positions.isEmpty
    }

    func begin(_ kinds: [Effect<Event>.Kind], isolation: isolated any Actor) {
        // A cancellation is no effect: middleware gets no notice of it.
        if !kinds.allSatisfy(\.isCancel) { notice = system?.effectBegan(.effect(name)) }
        // The middleware that was just told of it may have cancelled it, when `notice` was not yet set.
        if isCancelled { reportEnd(.cancelled) }
        isBeginning = true
        start(kinds, isolation: isolation)
        isBeginning = false
        if !isRunning { reportEnd() }
    }

    private func start(_ kinds: [Effect<Event>.Kind], isolation: isolated any Actor) {
        for kind in kinds where !isCancelled {
            switch kind {
            case .events(let events): for event in events { accept(event, origin: .unknown, workTurn: nil) }
            case .work(_, let isAwaited): begin(kind, isAwaited: isAwaited, isolation: isolation)
            case .attached(let attach):
                let detach = attach(outlet(on: isolation))
                if isCancelled { detach() } else { detachments.append(detach) }
            case .cancel(let keys, let isLeaving): system?.cancelEffects(keys, includingParts: isLeaving)
            case .delayed: begin(kind, isAwaited: true, isolation: isolation)
            }
        }
    }

    private func reportEnd(_ outcome: Outcome? = nil) {
        guard let notice = notice.take() else { return }
        let own: Outcome =
            switch failure {
            case nil: .finished
            case is CancellationError: .cancelled
            case .some(let error): .failed(error)
            }
        system?.effectEnded(notice, outcome ?? own)
    }

    private func begin(_ kind: Effect<Event>.Kind, isAwaited: Bool, isolation: isolated any Actor) {
        unfinished += 1
        if isAwaited {
            awaited += 1
            system?.awaitedEffects += 1
        }
        let clock = system?.clock
        tasks.append(
            Task { [weak self] in
                var failure: (any Error)?
                do {
                    if case .work(let work, _) = kind {
                        guard let outlet = self?.outletOfBeginningWork(on: isolation) else { return }
                        try await work(outlet)
                    } else if case .delayed(let duration, let kinds) = kind {
                        try await clock?.sleep(duration)
                        if let self { self.system?.perform(isolation: isolation) { self.start(kinds, isolation: isolation) } }
                    }
                } catch { failure = error }
                self?.ended(isAwaited, failure, isolation: isolation)
            })
    }

    /// The outlet for work that is about to be called; `nil` if the effect or its system ended before the work's turn came.
    private func outletOfBeginningWork(on isolation: isolated any Actor) -> EffectOutlet<Event>? {
        guard !isCancelled, let system, !system.isStopped else { return nil }
        return outlet(on: isolation, workTurn: system.beginWorkTurn(depth: depth, isolation: isolation))
    }

    private func ended(_ isAwaited: Bool, _ failure: (any Error)?, isolation: isolated any Actor) {
        if isCancelled { return }
        unfinished -= 1
        if unfinished == 0 { tasks = [] }
        if let failure {
            if self.failure == nil || self.failure is CancellationError { self.failure = failure }
            if !(failure is CancellationError) { system?.effectFailed(failure) }
        }
        if isAwaited && awaited > 0 {
            awaited -= 1
            system?.awaitedEffects -= 1
        }
        if !isRunning { reportEnd() }
        system?.runWaiting(on: isolation)
    }

    /// Makes an outlet. It keeps neither this run nor the system nor the actor alive. `workTurn` is the turn in which work is first called.
    private func outlet(on actor: any Actor, workTurn: FeedbackChain.WorkTurn? = nil) -> EffectOutlet<Event> {
        EffectOutlet { [weak self, weak actor] event, origin in
            guard let actor else { return }
            actor.preconditionIsolated("An effect's outlet was used off its system's isolation. Send through System.inbox() there.")
            guard let self else { return }
            self.accept(event, origin: origin, workTurn: workTurn)
            self.system?.runWaiting(on: actor)
        }
    }

    private func accept(_ event: Event, origin: SendOrigin, workTurn: FeedbackChain.WorkTurn?) {
        guard isBeginning || isRunning, let system, !system.isStopped else { return }
        let isChained = workTurn.map { system.chain.includes($0, system.feedbackLimit) } ?? isBeginning
        let depth = isChained ? depth : 0
        positions.trimEmpty()
        while let position = inherited.popFirst() {
            if position.isTaken { continue }
            // The event is put without a position: the position would retain itself.
            position.put(QueuedEvent(event: event, origin: origin, sentAt: system.sendTime), depth: depth, cause: cause)
            positions.append(position)
            system.asked = 0
            return
        }
        positions.append(system.enqueue(event, from: origin, depth: depth, cause))
    }

    /// Ends this run, if it still runs, and removes its waiting events. Returns the free positions, for the run that replaces this one.
    @discardableResult
    func cancel() -> EventQueue<QueuePosition<Event>> {
        // Removed first: a function that ends a source may send an event, and that must not run the waiting events.
        var own: [QueuePosition<Event>] = []
        while let position = positions.popFirst() {
            if position.isTaken { continue }
            position.empty()
            own.append(position)
        }
        // Unused inherited positions are empty and lie behind `own`. A scan of all at each restart would be quadratic.
        var free = exchange(&inherited, with: EventQueue())
        while free.first?.isTaken == true { _ = free.popFirst() }
        free.prepend(own)
        isCancelled = true
        endWork()
        return free
    }

    private func endWork() {
        for task in tasks { task.cancel() }
        tasks = []
        unfinished = 0
        for detach in exchange(&detachments, with: []) { detach() }
        if awaited > 0 { system?.awaitedEffects -= awaited }
        awaited = 0
        reportEnd(.cancelled)
    }
}
