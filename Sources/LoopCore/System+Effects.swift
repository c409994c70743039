/// The one asynchronous work under way.
@usableFromInline
struct RunningEffect<State, Event> {
    let queued: QueuedEvent<Event>
    /// The event's number; it tells this work's result from one that comes too late.
    let number: Int
    let stateBefore: State
    let previous: State?
    let timing: StepTiming?
    let beganAt: UInt64
    @usableFromInline var task: Task<Void, Never>?
}

extension System {
    /// Shows the loading state if there is one and starts the work.
    @usableFromInline
    func begin(
        _ work: @escaping Next<State>.Work, loading: State?, for queued: QueuedEvent<Event>, previous: State?, timing: StepTiming?,
        isolation: isolated any Actor
    ) {
        let ticket = number
        // What the bindings and the middleware send now must wait: the work counts as running before they see the state.
        running = RunningEffect(
            queued: queued, number: ticket, stateBefore: current, previous: previous, timing: timing,
            beganAt: timing == nil ? 0 : clock.nanoseconds)
        if let loading {
            current = loading
            publish(.loading, of: queued, number: ticket, previous: previous, timing: timing, outcome: nil)
        }
        // One of them may have stopped the system.
        guard running?.number == ticket else { return }
        running?.task = Task { [weak self] in
            _ = isolation
            let result: Result<State, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            self?.finish(ticket, result, isolation: isolation)
        }
    }

    private func finish(_ ticket: Int, _ result: Result<State, any Error>, isolation: isolated any Actor) {
        guard let effect = running, effect.number == ticket, !isStopped else { return }
        running = nil
        isDraining = true
        var timing = effect.timing
        if timing != nil { timing?.effect = clock.nanoseconds &- effect.beganAt }
        // The loading state is what came before the settled one; without one it is the state the event met.
        let previous = effect.previous == nil ? nil : current
        let outcome: Step<State, Event>.Outcome
        switch result {
        case .success(let state):
            current = state
            outcome = .finished
        case .failure(let error):
            current = effect.stateBefore
            outcome = error is CancellationError ? .cancelled : .failed(error)
        }
        publish(.settled, of: effect.queued, number: ticket, previous: previous, timing: timing, outcome: outcome)
        drain(isolation: isolation)
    }

    /// Ends the system: cancels the work under way, drops the events that wait, and ignores whatever is sent from now on.
    ///
    /// The state stays as it is and bindings see nothing more. Middleware sees one last step, `.cancelled`, if work was under way.
    /// Called from inside a step, that step still ends as it began.
    ///
    /// - Returns: how many waiting events were dropped, those in the ``EventInbox`` included. 0 when it was stopped before.
    @discardableResult
    public func stop(isolation: isolated any Actor = #isolation) -> Int {
        enter(isolation)
        if isStopped { return 0 }
        isStopped = true
        let dropped = queue.removeAll() + (inboxSource?.close() ?? 0)
        if let effect = running {
            running = nil
            effect.task?.cancel()
            notify(
                observers, .settled, of: effect.queued, number: effect.number, previous: effect.previous == nil ? nil : current,
                timing: effect.timing, outcome: .cancelled)
        }
        ends = []
        wakeWaiters()
        return dropped
    }

    /// Returns when no event waits, the inbox holds nothing and no work runs; at once if that is so now, or if the system was stopped.
    ///
    /// Tests use it in place of sleeping.
    public func settled(isolation: isolated any Actor = #isolation) async {
        enter(isolation)
        while !isSettled {
            await withCheckedContinuation(isolation: isolation) { waiters.append($0) }
        }
    }

    /// Whether nothing waits and nothing runs.
    public var isSettled: Bool {
        isStopped || (!isDraining && running == nil && queue.isEmpty && inboxSource?.isEmpty ?? true)
    }

    @usableFromInline
    func wakeWaiters() {
        guard isSettled else { return }
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }
}
