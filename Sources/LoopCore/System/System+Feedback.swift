extension System: FeedbackHost {
    /// Begins the feedbacks with the initial state, at the first isolated call.
    @usableFromInline
    func begin(isolation: isolated any Actor) {
        if lanes.isEmpty || isStopped { return }
        if isDraining {
            // The first call came from a newcomer that is being shown its first state.
            tellFeedbacks(nil, isolation: isolation)
            if isWelcoming { drainAfterWelcome(isolation: isolation) }
            return
        }
        isDraining = true
        tellFeedbacks(nil, isolation: isolation)
        drain(isolation: isolation)
    }

    /// Shows the state to the feedbacks, in their order. What they send at once is queued.
    @usableFromInline
    func tellFeedbacks(_ event: Event?, isolation: isolated any Actor) {
        for lane in lanes {
            if isStopped { return }
            lane.see(current, event, host: self, isolation: isolation)
        }
    }

    /// Takes what a feedback sent, if it has not been removed meanwhile.
    @usableFromInline
    func take(_ queued: QueuedEvent<Event>, at place: QueuePlace<Event>, isolation: isolated any Actor) {
        guard let queued = place.take(queued) else { return }
        if case .inARow = feedbackLimit, !place.isChained { feedbackCount = 0 }
        feedbackCount += 1
        if feedbackCount > feedbackLimit.count {
            stopRunaway(queued)
        } else {
            take(queued, isolation: isolation)
        }
    }

    /// Drops the event, and all that wait which the chain has made besides.
    private func stopRunaway(_ queued: QueuedEvent<Event>) {
        number += 1
        var dropped = 0
        queue.forEach { waiting in
            guard let place = waiting.place, place.isChained, !place.isEmpty else { return }
            place.empty()
            dropped += 1
        }
        notify(
            .settled, of: queued, number: number, previous: observers.needs.contains(.previousState) ? current : nil,
            timing: nil, outcome: .failed(RunawayFeedback(limit: feedbackLimit, dropped: dropped)))
    }

    var sendTime: UInt64 { observers.needs.contains(.timing) ? clock.nanoseconds : 0 }

    func append(_ queued: QueuedEvent<Event>) { if !isStopped { queue.append(queued) } }

    func countAwaited(_ change: Int) { awaitedEffects += change }

    func runWaiting(on actor: any Actor) {
        if isStopped || (!isWelcoming && (isDraining || running != nil)) { return }
        // Sound, because the next line stops the program unless this runs on the actor already.
        nonisolated(unsafe) let system = self
        actor.assumeIsolated { system.runWaiting(isolation: $0) }
    }

    private func runWaiting(isolation: isolated any Actor) {
        if isWelcoming {
            drainAfterWelcome(isolation: isolation)
            return
        }
        isDraining = true
        drain(isolation: isolation)
    }

    /// Tells middleware; nothing else knows of it, for the state is what it was.
    func effectFailed(_ error: any Error) {
        if isStopped { return }
        let step = Step<State, Event>(number: number, event: nil, phase: .effect, state: current, outcome: .failed(error))
        let wasDraining = isDraining
        isDraining = true
        observers.notify(step, clock: clock)
        isDraining = wasDraining
        // Whoever was told may have stopped the system, and then nothing else ends the work under way.
        if isStopped && !wasDraining { endStoppedWork() }
    }

    /// How many effects of feedbacks run, those without an end included.
    package var runningEffects: Int { lanes.reduce(0) { $0 + $1.runningCount } }

    func endFeedbacks() { for lane in lanes { lane.cancel() } }
}
