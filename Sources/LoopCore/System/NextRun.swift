/// The work of one event's `Next`, from its beginning to its end.
@usableFromInline
final class NextRun<State, Event> {
    let queued: QueuedEvent<Event>
    let number: Int
    /// What the state goes back to if the work fails.
    let stateBefore: State
    var timing: StepTiming?
    /// When the work began, on the system's clock; 0 if no middleware asks for timing.
    var beganAt: UInt64 = 0
    /// Set if its beginning was reported to middleware.
    var notice: EffectNotice<Event>?
    private var task: Task<Void, Never>?

    init(_ queued: QueuedEvent<Event>, number: Int, stateBefore: State, timing: StepTiming?) {
        self.queued = queued
        self.number = number
        self.stateBefore = stateBefore
        self.timing = timing
    }

    func start(_ work: @escaping Next<State>.Stage, in system: System<State, Event>, isolation: isolated any Actor) {
        // Weak: the work must not keep the system alive.
        task = Task { [weak self, weak system] in
            _ = isolation
            let result: Result<Next<State>, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            if let self { system?.ended(self, with: result, isolation: isolation) }
        }
    }

    @usableFromInline
    func cancel() { task?.cancel() }
}

extension System {
    /// Shows the loading state if there is one and starts the work.
    @usableFromInline
    func run(
        _ next: Next<State>, for queued: QueuedEvent<Event>, previous: State?, timing: StepTiming?, isolation: isolated any Actor
    ) {
        // It counts as under way before anybody sees the loading state: what they send must wait.
        let run = NextRun(queued, number: number, stateBefore: current, timing: timing)
        nextRun = run
        guard case .work(let work, let loading) = next.plan else { return }
        if let loading, !isStopped { show(loading, of: run, previous: previous, isolation: isolation) }
        // The reducer, a binding or a middleware may have stopped the system.
        if isStopped { return }
        if timing != nil { run.beganAt = clock.nanoseconds }
        run.notice = effectBegan(.next)
        if isStopped { return }
        run.start(work, in: self, isolation: isolation)
    }

    private func show(_ loading: State, of run: NextRun<State, Event>, previous: State?, isolation: isolated any Actor) {
        change(to: loading) {
            publish(.loading, of: run.queued, number: run.number, previous: previous, timing: run.timing, outcome: nil)
        }
        if !lanes.isEmpty { showFeedbacks(nil, isolation: isolation) }
    }

    fileprivate func ended(_ run: NextRun<State, Event>, with result: Result<Next<State>, any Error>, isolation: isolated any Actor) {
        guard nextRun === run, !isStopped else { return }
        // The loading state is what came before the settled one; without one it is the state that the event met.
        let previous = observers.needs.contains(.previousState) ? current : nil
        switch result {
        case .success(let next):
            switch next.plan {
            case .value(let state): settle(run, state, previous: previous, .finished, isolation: isolation)
            case .work(let work, let loading):
                goOn(run, with: work, loading: loading, previous: previous, isolation: isolation)
            }
        case .failure(let error):
            settle(run, run.stateBefore, previous: previous, error is CancellationError ? .cancelled : .failed(error), isolation: isolation)
        }
    }

    /// The work ended in further work of the same event.
    private func goOn(
        _ run: NextRun<State, Event>, with work: @escaping Next<State>.Stage, loading: State?, previous: State?,
        isolation: isolated any Actor
    ) {
        if let loading {
            if run.timing != nil { run.timing?.shownAt = clock.nanoseconds }
            occupy { show(loading, of: run, previous: previous, isolation: isolation) }
        }
        if !isStopped { run.start(work, in: self, isolation: isolation) }
    }

    private func settle(_ run: NextRun<State, Event>, _ state: State, previous: State?, _ outcome: Outcome, isolation: isolated any Actor) {
        nextRun = nil
        perform(isolation: isolation) {
            change(to: state) {
                var timing = run.timing
                let endedAt = timing == nil ? nil : clock.nanoseconds
                if let endedAt {
                    timing?.effect = endedAt &- run.beganAt
                    timing?.shownAt = endedAt
                }
                if let notice = run.notice { effectEnded(notice, outcome, at: endedAt) }
                publish(.settled, of: run.queued, number: run.number, previous: previous, timing: timing, outcome: outcome)
            }
            if !lanes.isEmpty { showFeedbacks(outcome.isFinished ? run.queued.event : nil, isolation: isolation) }
        }
    }

    /// Reports the end of work that ended with the system.
    @usableFromInline
    func endStoppedRun() {
        guard let run = nextRun.take() else { return }
        // The end of an event that the stop dropped may lead here before the stop has come to the work.
        run.cancel()
        if let notice = run.notice { effectEnded(notice, .cancelled) }
        var timing = run.timing
        if timing != nil { timing?.shownAt = clock.nanoseconds }
        observers.notify(
            step(
                .settled, of: run.queued, number: run.number, previous: observers.needs.contains(.previousState) ? current : nil,
                timing: timing, outcome: .cancelled), clock: clock)
    }
}
