/// One effect that runs: its tasks, its sources, and the queue positions of its events that wait.
final class EffectRun<State, Event> {
    private weak var system: System<State, Event>?
    /// The depth of the events that it sends in the chain that led to it.
    private let depth: Int
    /// Whether the call that begins it is under way: what it sends meanwhile belongs to the chain.
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
    /// What notices call it.
    private let name: String
    private let cause: SendCause
    /// Set from when its beginning was reported to middleware until its end is.
    private var notice: EffectNotice<Event>?
    /// The first error of a part; a cancellation only if there is no other.
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

    /// Whether nothing will come of it any more: it has ended, and none of its events waits.
    var isSpent: Bool {
        positions.trimEmpty()
        return !isRunning && positions.isEmpty
    }

    func begin(_ kinds: [Effect<Event>.Kind], isolation: isolated any Actor) {
        notice = system?.effectBegan(.effect(name))
        // A middleware may have ended it before its notice was kept here.
        if isCancelled { reportEnd(.cancelled) }
        isBeginning = true
        start(kinds, isolation: isolation)
        isBeginning = false
        if !isRunning { reportEnd() }
    }

    private func start(_ kinds: [Effect<Event>.Kind], isolation: isolated any Actor) {
        for kind in kinds where !isCancelled {
            switch kind {
            case .events(let events):
                for event in events { accept(event, origin: SendOrigin(), workTurn: nil) }
            case .work(_, let isAwaited): begin(kind, isAwaited: isAwaited, isolation: isolation)
            case .attached(let attach):
                let detach = attach(outlet(on: isolation))
                if isCancelled { detach() } else { detachments.append(detach) }
            case .cancel(let key, let isLeaving): system?.cancelEffects(key, includingParts: isLeaving)
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
                if case .work(let work, _) = kind {
                    guard let outlet = self?.outletOfBeginningWork(on: isolation) else { return }
                    failure = await Self.failure { try await work(outlet) }
                } else if case .delayed(let duration, let kinds) = kind {
                    failure = await Self.failure { try await clock?.sleep(duration) }
                    if failure == nil, let self { self.system?.perform(isolation: isolation) { self.start(kinds, isolation: isolation) } }
                }
                self?.ended(isAwaited, failure, isolation: isolation)
            })
    }

    /// The outlet of work that is called now; `nil` if the effect or its system ended before the work's turn came.
    private func outletOfBeginningWork(on isolation: isolated any Actor) -> EffectOutlet<Event>? {
        guard !isCancelled, let system, !system.isStopped else { return nil }
        return outlet(on: isolation, workTurn: system.beginWorkTurn(depth: depth, isolation: isolation))
    }

    private static func failure(of work: () async throws -> Void) async -> (any Error)? {
        do { try await work() } catch { return error }
        return nil
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

    /// Makes an outlet, which keeps neither this run nor the system nor the actor. `workTurn` is the turn in which work is first called.
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
        guard !isCancelled, let system, !system.isStopped else { return }
        let isChained = workTurn.map { system.chain.includes($0, system.feedbackLimit) } ?? isBeginning
        let depth = isChained ? depth : 0
        positions.trimEmpty()
        while let position = inherited.popFirst() {
            if position.isTaken { continue }
            // The event is put without a position: the position would hold itself.
            position.put(QueuedEvent(event: event, origin: origin, sentAt: system.sendTime), depth: depth, cause: cause)
            positions.append(position)
            system.nextRun?.asked = 0
            return
        }
        positions.append(system.enqueue(event, from: origin, depth: depth, cause))
    }

    /// Ends this run and removes its events that wait, also if it had ended before. Returns their positions, for the run that replaces it.
    @discardableResult
    func cancel() -> EventQueue<QueuePosition<Event>> {
        // Done first: what ends the work may send an event, and that must not run the events that wait.
        let positions = removeEvents()
        isCancelled = true
        endWork()
        return positions
    }

    private func removeEvents() -> EventQueue<QueuePosition<Event>> {
        var own: [QueuePosition<Event>] = []
        while let position = positions.popFirst() {
            if position.isTaken { continue }
            position.empty()
            own.append(position)
        }
        // Unused inherited positions are empty and last. They are passed on unscanned: scanning them at every restart would be quadratic.
        var free = inherited
        inherited = EventQueue()
        while free.first?.isTaken == true { _ = free.popFirst() }
        for position in own.reversed() { free.prepend(position) }
        return free
    }

    private func endWork() {
        for task in tasks { task.cancel() }
        tasks = []
        unfinished = 0
        let ends = detachments
        detachments = []
        for detach in ends { detach() }
        if awaited > 0 { system?.awaitedEffects -= awaited }
        awaited = 0
        reportEnd(.cancelled)
    }
}
