/// The work of one event's `Next`, from its beginning to its end.
@usableFromInline
final class NextRun<State, Event> {
    let queued: QueuedEvent<Event>
    let number: Int
    /// The state to go back to if the work fails.
    let stateBefore: State
    /// The effects that other reducers returned for the same event; they begin when the work has finished.
    let effects: CollectedEffects<Event>
    var timing: StepTiming?
    /// When the work began, on the system's clock; 0 if no middleware asks for timing.
    var beganAt: UInt64 = 0
    /// Set if its beginning was reported to middleware.
    var notice: EffectNotice<Event>?
    var key: EffectKey?
    /// Whether it was cancelled by its name, and its last step is still to come.
    var isCancelled = false
    private var task: Task<Void, Never>?

    init(_ queued: QueuedEvent<Event>, number: Int, stateBefore: State, timing: StepTiming?, effects: CollectedEffects<Event>) {
        self.queued = queued
        self.number = number
        self.stateBefore = stateBefore
        self.timing = timing
        self.effects = effects
    }

    func start(_ work: @escaping Next<State>.Stage, in system: System<State, Event>, isolation: isolated any Actor) {
        // Weak: the work must not keep the system alive.
        task = Task { [weak self, weak system] in
            _ = isolation
            let turn = system?.beginWorkTurn(isolation: isolation)
            let result: Result<Next<State>, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            if let self { system?.ended(self, in: turn, with: result, isolation: isolation) }
        }
    }

    @usableFromInline
    func cancel() { task?.cancel() }
}

extension System {
    /// Takes an event with a reducer that describes the next state.
    @inlinable
    @inline(never)
    func takeDescribed(_ queued: QueuedEvent<Event>, _ describe: Reducer<State, Event>.Describing, isolation: isolated any Actor) {
        let effects = CollectedEffects<Event>()
        if reduce(queued, describe, effects, isolation: isolation) {
            publish(.settled, of: queued, number: number, outcome: .finished)
            follow(queued.event, effects.merged, isolation: isolation)
        }
        if notes.isInUse { notes.clear() }
    }

    /// Sets the state that an event leads to, or begins the work that it leads to.
    ///
    /// - Returns: whether the state is set.
    @inlinable
    @inline(never)
    func reduce(
        _ queued: QueuedEvent<Event>, _ describe: Reducer<State, Event>.Describing, _ effects: CollectedEffects<Event>,
        isolation: isolated any Actor
    ) -> Bool {
        let next = describe(current, queued.event, effects.sink)
        standing.turn = .draining
        if notes.timing != nil { notes.endReducing(clock) }
        if next.put(into: &current) { return true }
        run(next, for: queued, effects, isolation: isolation)
        return false
    }

    /// Shows the loading state if there is one and starts the work.
    @usableFromInline
    func run(_ next: Next<State>, for queued: QueuedEvent<Event>, _ effects: CollectedEffects<Event>, isolation: isolated any Actor) {
        // The work counts as under way before anybody sees the loading state: events sent from there must wait.
        let run = NextRun(queued, number: number, stateBefore: current, timing: notes.timing, effects: effects)
        run.key = next.key
        nextRun = run
        guard case .work(let work, let loading) = next.plan else { return }
        if let loading, !isStopped { show(loading, of: run, isolation: isolation) }
        // The reducer, a binding, a middleware or a feedback may have stopped the system or cancelled the work.
        if isStopped || run.isCancelled { return }
        if run.timing != nil { run.beganAt = clock.nanoseconds }
        run.notice = effectBegan(.next)
        if isStopped || run.isCancelled { return }
        run.start(work, in: self, isolation: isolation)
    }

    private func show(_ loading: State, of run: NextRun<State, Event>, isolation: isolated any Actor) {
        change(to: loading) { publish(.loading, of: run.queued, number: run.number, outcome: nil) }
        follow(nil, .none, isolation: isolation)
    }

    fileprivate func ended(
        _ run: NextRun<State, Event>, in turn: FeedbackChain.WorkTurn?, with result: Result<Next<State>, any Error>,
        isolation: isolated any Actor
    ) {
        guard nextRun === run, !isStopped, !run.isCancelled else { return }
        // Events that follow from work which suspended begin a new count, as those that an effect sends after its suspension do.
        if case .inARow = feedbackLimit, let turn, !chain.includes(turn, feedbackLimit) { chain.begin() }
        switch result {
        case .success(let next):
            switch next.plan {
            case .value(let state): settle(run, state, .finished, isolation: isolation)
            case .work(let work, let loading):
                run.key = next.key ?? run.key
                goOn(run, with: work, loading: loading, isolation: isolation)
            }
        case .failure(let error):
            settle(run, run.stateBefore, error is CancellationError ? .cancelled : .failed(error), isolation: isolation)
        }
    }

    /// Goes on with the further work in which an event's work ended.
    private func goOn(
        _ run: NextRun<State, Event>, with work: @escaping Next<State>.Stage, loading: State?, isolation: isolated any Actor
    ) {
        if let loading {
            if run.timing != nil { run.timing?.shownAt = clock.nanoseconds }
            occupy {
                keepPrevious(run.timing)
                show(loading, of: run, isolation: isolation)
                notes.clear()
            }
        }
        if nextRun === run, !isStopped, !run.isCancelled { run.start(work, in: self, isolation: isolation) }
    }

    /// Before a step that work leads to: notes the timing and, as the state before the step, the state that is shown until then.
    func keepPrevious(_ timing: StepTiming?) {
        keepPrevious()
        notes.timing = timing
    }

    private func settle(_ run: NextRun<State, Event>, _ state: State, _ outcome: Outcome, isolation: isolated any Actor) {
        nextRun = nil
        perform(isolation: isolation) {
            keepPrevious(run.timing)
            change(to: state) {
                let endedAt = run.timing == nil ? nil : clock.nanoseconds
                if let endedAt {
                    notes.timing?.effect = run.beganAt == 0 ? 0 : endedAt &- run.beganAt
                    notes.timing?.shownAt = endedAt
                }
                if let notice = run.notice { effectEnded(notice, outcome, at: endedAt) }
                publish(.settled, of: run.queued, number: run.number, outcome: outcome)
            }
            follow(outcome.isFinished ? run.queued.event : nil, outcome.isFinished ? run.effects.merged : .none, isolation: isolation)
            notes.clear()
        }
    }

    /// Ends the work under way if it has this name: its last step comes when the present turn is over.
    func cancelWork(_ key: EffectKey) {
        guard let run = nextRun, run.key == key else { return }
        run.isCancelled = true
        run.cancel()
        attendWork()
    }

    /// Between turns: makes the last step of work that was cancelled, and takes an event that interrupts the work.
    @usableFromInline
    func attendWork() {
        guard standing.turn == .idle, let run = nextRun else { return }
        if isStopped { return endStoppedRun() }
        var interrupting: QueuedEvent<Event>?
        if let isInterrupting = reducer.interrupting {
            while interrupting == nil, asked < queue.count {
                let waiting = queue[asked]
                if let event = waiting.present?.event, isInterrupting(event) { interrupting = queue.remove(at: asked) } else { asked += 1 }
            }
        }
        guard run.isCancelled || interrupting != nil, let actor = home.actor else { return }
        // Sound, because `assumeIsolated` stops the program unless this runs on the actor already.
        nonisolated(unsafe) let system = self
        nonisolated(unsafe) let taken = interrupting
        actor.assumeIsolated { isolation in
            system.perform(isolation: isolation) {
                guard let run = system.nextRun else { return }
                run.cancel()
                system.settle(run, run.stateBefore, .cancelled, isolation: isolation)
                if let taken, !system.isStopped { system.takeQueued(taken, isolation: isolation) }
            }
        }
    }

    /// Reports the end of work that ended with the system.
    private func endStoppedRun() {
        guard let run = nextRun.take() else { return }
        // The deinit of an event that the stop dropped may lead here before the stop has cancelled the work.
        run.cancel()
        if let notice = run.notice { effectEnded(notice, .cancelled) }
        var timing = run.timing
        if timing != nil { timing?.shownAt = clock.nanoseconds }
        end(run.queued, number: run.number, timing: timing, .cancelled)
    }
}
