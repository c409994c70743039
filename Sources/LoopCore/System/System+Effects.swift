/// The one asynchronous work under way.
@usableFromInline
struct RunningEffect<State, Event> {
    let queued: QueuedEvent<Event>
    /// The event's number; it tells this work's result from one that comes too late.
    let number: Int
    let stateBefore: State
    var timing: StepTiming?
    /// When the work itself began, on the system's clock; 0 where nobody asked for timing.
    var beganAt: UInt64 = 0
    /// What the middleware that asks for effects was told of its beginning.
    var notice: EffectNotice<Event>?
    @usableFromInline var task: Task<Void, Never>?
}

extension System {
    /// Shows the loading state if there is one and starts the work.
    @usableFromInline
    func run(
        _ work: @escaping Next<State>.Stage, loading: State?, for queued: QueuedEvent<Event>, previous: State?, timing: StepTiming?,
        isolation: isolated any Actor
    ) {
        let ticket = number
        // What the bindings and the middleware send now must wait: the work counts as running before they see the state.
        running = RunningEffect(
            queued: queued, number: ticket, stateBefore: current, timing: timing)
        if let loading, !isStopped { show(loading, previous: previous, isolation: isolation) }
        // The reducer or one of them may have stopped the system.
        if isStopped {
            endStoppedWork()
            return
        }
        if timing != nil { running?.beganAt = clock.nanoseconds }
        if observers.needs.contains(.effects) {
            let notice = effectBegan(.next)
            running?.notice = notice
            // So may whoever was told.
            if isStopped {
                endStoppedWork()
                return
            }
        }
        start(work, ticket: ticket, isolation: isolation)
    }

    /// The loading state of the work under way.
    private func show(_ loading: State, previous: State?, isolation: isolated any Actor) {
        guard let effect = running else { return }
        current = loading
        publish(
            .loading, of: effect.queued, number: effect.number, previous: previous, timing: effect.timing, outcome: nil)
        if !lanes.isEmpty { tellFeedbacks(nil, isolation: isolation) }
    }

    private func start(_ work: @escaping Next<State>.Stage, ticket: Int, isolation: isolated any Actor) {
        running?.task = Task { [weak self] in
            _ = isolation
            let result: Result<Next<State>, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            self?.finish(ticket, result, isolation: isolation)
        }
    }

    private func finish(_ ticket: Int, _ result: Result<Next<State>, any Error>, isolation: isolated any Actor) {
        guard let effect = running, effect.number == ticket, !isStopped else { return }
        // The loading state is what came before the settled one; without one it is the state the event met.
        let previous = observers.needs.contains(.previousState) ? current : nil
        let outcome: Step<State, Event>.Outcome
        let settled: State
        switch result {
        case .success(let next):
            switch next.plan {
            case .value(let state):
                settled = state
                outcome = .finished
            case .work(let work, let loading):
                goOn(with: work, loading: loading, previous: previous, ticket: ticket, isolation: isolation)
                return
            }
        case .failure(let error):
            settled = effect.stateBefore
            outcome = error is CancellationError ? .cancelled : .failed(error)
        }
        running = nil
        isDraining = true
        current = settled
        var timing = effect.timing
        if timing != nil {
            let endedAt = clock.nanoseconds
            timing?.effect = endedAt &- effect.beganAt
            timing?.shownAt = endedAt
            if let notice = effect.notice { effectEnded(notice, .init(outcome), at: endedAt) }
        } else if let notice = effect.notice {
            effectEnded(notice, .init(outcome))
        }
        publish(.settled, of: effect.queued, number: ticket, previous: previous, timing: timing, outcome: outcome)
        if !lanes.isEmpty { tellFeedbacks(outcome.isFinished ? effect.queued.event : nil, isolation: isolation) }
        drain(isolation: isolation)
    }

    /// The work ended in further work of the same event.
    private func goOn(
        with work: @escaping Next<State>.Stage, loading: State?, previous: State?, ticket: Int, isolation: isolated any Actor
    ) {
        if let loading {
            isDraining = true
            if running?.timing != nil { running?.timing?.shownAt = clock.nanoseconds }
            show(loading, previous: previous, isolation: isolation)
            isDraining = false
        }
        if isStopped {
            endStoppedWork()
            return
        }
        start(work, ticket: ticket, isolation: isolation)
    }

    /// Ends the system: cancels the work under way and the effects of feedbacks, drops the events that wait, and ignores whatever is sent from now on.
    ///
    /// The state stays as it is and bindings see nothing more. Middleware sees one last step, `.cancelled`, if work was under way.
    /// Called from inside a step, that step still ends as it began, and the last step comes after it.
    ///
    /// - Returns: how many waiting events were dropped, those in the ``EventInbox`` included. 0 when it was stopped before.
    @discardableResult
    public func stop(isolation: isolated any Actor = #isolation) -> Int {
        _ = claim(isolation)
        if isStopped { return 0 }
        isStopped = true
        // Who is told of the ends must find a step under way: the end of the work comes below.
        let wasDraining = isDraining
        isDraining = true
        endFeedbacks()
        isDraining = wasDraining
        var dropped = inboxSource?.close() ?? 0
        queue.forEach { if $0.place?.isEmpty != true { dropped += 1 } }
        _ = queue.removeAll()
        running?.task?.cancel()
        // While a state is shown the last step must wait, or it would come before the end of the one that is under way.
        if !isDraining { endStoppedWork() }
        observers.endReaders()
        wakeWaiters()
        return dropped
    }

    /// Tells middleware that the work ended with the system, if there was any.
    func endStoppedWork() {
        guard let effect = running else { return }
        running = nil
        if let notice = effect.notice { effectEnded(notice, .cancelled) }
        var timing = effect.timing
        if timing != nil { timing?.shownAt = clock.nanoseconds }
        notify(
            .settled, of: effect.queued, number: effect.number,
            previous: observers.needs.contains(.previousState) ? current : nil, timing: timing, outcome: .cancelled)
    }

    /// Returns when no event waits, the inbox holds nothing and no work runs; at once if that is so now, or if the system was stopped.
    ///
    /// Effects of feedbacks that end by themselves are work (``Effect/run(_:)``); streams and sources, which may never end, are not.
    ///
    /// Not for the system's own effects and reducers: work that waits here waits for its own end.
    ///
    /// Tests use it in place of sleeping. It also returns when the waiting task is cancelled; ``isSettled`` tells which it was.
    public func settled(isolation: isolated any Actor = #isolation) async {
        enter(isolation)
        while !isSettled && !Task.isCancelled {
            let sleeper = Sleeper()
            waiters.append(sleeper)
            await sleeper.sleep(isolation: isolation)
            // Still there only if it was cancellation that woke it.
            waiters.removeAll { $0 === sleeper }
        }
    }

    /// Whether nothing waits and nothing runs.
    public var isSettled: Bool {
        isStopped || (!isDraining && running == nil && awaitedEffects == 0 && queue.isEmpty && inboxSource?.isEmpty ?? true)
    }

    @usableFromInline
    func wakeWaiters() {
        guard isSettled else { return }
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.wake() }
    }
}

extension EffectNotice.Outcome {
    fileprivate init<State>(_ outcome: Step<State, Event>.Outcome) {
        self =
            switch outcome {
            case .finished: .finished
            case .failed(let error): .failed(error)
            case .cancelled: .cancelled
            }
    }
}
