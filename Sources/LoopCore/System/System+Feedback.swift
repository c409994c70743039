/// What the system does for its feedbacks and their effects.
extension System {
    /// Shows the state to the feedbacks, in their order. What they send at once is queued.
    @usableFromInline
    func showFeedbacks(_ event: Event?, isolation: isolated any Actor) {
        if lanes.isEmpty { return }
        perform(isolation: isolation) {
            for lane in lanes {
                if isStopped { return }
                lane.see(current, event, in: self, isolation: isolation)
            }
        }
    }

    /// Takes what a feedback sent, unless it has been removed meanwhile.
    @usableFromInline
    func take(_ queued: QueuedEvent<Event>, at position: QueuePosition<Event>, isolation: isolated any Actor) {
        guard let queued = position.take(queued) else { return }
        chain.take(depth: position.depth, feedbackLimit)
        if chain.isRunaway(feedbackLimit) {
            stopRunaway(queued)
        } else {
            take(queued, isolation: isolation)
        }
    }

    /// Work that sends events of this depth is called for the first time, in a turn of its own.
    func beginWorkTurn(depth: Int, isolation: isolated any Actor) -> FeedbackChain.WorkTurn {
        let turn = chain.beginTurn(depth: depth, feedbackLimit)
        if turn.endsAtSuspension {
            // Queued before the work is called, so that it runs before whatever resumes the work.
            Task { [weak self] in
                _ = isolation
                self?.chain.endTurn()
            }
        }
        return turn
    }

    /// Drops the event, and the others of the chain that wait: all of them, or those that are as deep.
    private func stopRunaway(_ queued: QueuedEvent<Event>) {
        number += 1
        var dropped = 0
        let least = chain.isTooDeep(feedbackLimit) ? feedbackLimit.count + 1 : 1
        queue.forEach { waiting in
            guard let position = waiting.position, position.depth >= least, !position.isEmpty else { return }
            position.empty()
            dropped += 1
        }
        observers.notify(
            step(
                .settled, of: queued, number: number, previous: observers.needs.contains(.previousState) ? current : nil,
                timing: nil, outcome: .failed(RunawayFeedback(limit: feedbackLimit, dropped: dropped))), clock: clock)
    }

    /// The time to stamp on an event that an effect sends; 0 if no middleware asks for timing.
    var sendTime: UInt64 { observers.needs.contains(.timing) ? clock.nanoseconds : 0 }

    /// Runs what waits, unless something is under way. Stops the program unless this is called on the actor.
    func runWaiting(on actor: any Actor) {
        if isStopped || standing.turn != .idle || nextRun != nil { return }
        // Sound, because the next line stops the program unless this runs on the actor already.
        nonisolated(unsafe) let system = self
        actor.assumeIsolated { system.perform(isolation: $0) {} }
    }

    /// Reports the error of an effect to middleware. The state stays as it is.
    func effectFailed(_ error: any Error) {
        if isStopped { return }
        occupy {
            observers.notify(Step(number: number, event: nil, phase: .effectFailed, state: current, outcome: .failed(error)), clock: clock)
        }
    }

    /// Reports the beginning of an effect, or of a `Next`'s work, to middleware.
    ///
    /// - Returns: what ``effectEnded(_:_:at:)`` wants; `nil` if no middleware asks for effects.
    func effectBegan(_ source: EffectSource) -> EffectNotice<Event>? {
        guard observers.needs.contains(.effects) else { return nil }
        effectCount += 1
        let notice = EffectNotice(id: effectCount, source: source, number: number, event: lastEvent, beganAt: clock.nanoseconds)
        occupy { observers.notify(notice) }
        return notice
    }

    /// Reports the end of what ``effectBegan(_:)`` reported.
    ///
    /// - Parameter time: when it ended, if that was measured already.
    func effectEnded(_ notice: EffectNotice<Event>, _ outcome: Outcome, at time: UInt64? = nil) {
        // The middleware that asked may have been detached since.
        guard observers.needs.contains(.effects) else { return }
        occupy { observers.notify(notice.ended(outcome, at: time ?? clock.nanoseconds)) }
    }

    /// How many effects of feedbacks run, those without an end included.
    package var runningEffects: Int { lanes.reduce(0) { $0 + $1.runningCount } }
}
