extension System {
    /// Shows the state to the feedbacks, in their order. What they send at once is queued.
    @inlinable
    func showFeedbacks(_ event: Event?, isolation: isolated any Actor) {
        if lanes.isEmpty { return }
        perform(isolation: isolation) {
            for lane in lanes {
                if isStopped { return }
                lane.see(current, event, in: self, isolation: isolation)
            }
        }
    }

    /// Takes an event from the queue: an event from outside begins a chain, an effect's event continues it.
    @inlinable
    func takeQueued(_ queued: QueuedEvent<Event>, isolation: isolated any Actor) {
        guard let position = queued.position else { return take(queued, depth: queued.depth, isolation: isolation) }
        // It may have been removed meanwhile.
        guard let queued = position.take(queued) else { return }
        causeOfTaken = position.cause
        take(queued, depth: position.depth, isEffects: position.cause.feedback != nil, isolation: isolation)
        causeOfTaken = nil
    }

    @inlinable
    func take(_ queued: QueuedEvent<Event>, depth: Int, isEffects: Bool = false, isolation: isolated any Actor) {
        if depth == 0 && !isEffects {
            chain.begin()
        } else {
            chain.take(depth: depth, feedbackLimit)
            if chain.isRunaway(feedbackLimit) { return stopRunaway(queued) }
        }
        take(queued, isolation: isolation)
    }

    /// Begins the effects that the reducer returned.
    @usableFromInline
    func begin(_ effect: Effect<Event>, isolation: isolated any Actor) {
        for group in effect.groups where standing.life == .live { begin(group, called: nil, isolation: isolation) }
    }

    /// Begins an effect by its policy. Notices call it `name`, or by its own name if that is `nil`.
    func begin(_ group: Effect<Event>.Group, called name: String?, isolation: isolated any Actor) {
        let key = group.key ?? EffectKey(id: nil)
        if key.id == nil, group.cancels(cancelEffects) { return }
        if isStopped || group.leaves && !reducer.presence(in: current)(key.path[...]) { return }
        let effects = self.effects ?? NamedEffects()
        self.effects = effects
        if group.policy == .ignoredWhileRunning && effects.runs(key) { return }
        let slot = effects.slot(key, called: name, leaves: group.leaves)
        if group.policy == .replacing {
            slot.cancelOthers()
            slot.replace(with: group.kinds, in: self, isolation: isolation)
        } else {
            slot.add(group.kinds, in: self, isolation: isolation)
        }
    }

    @usableFromInline
    func endMissingParts() {
        guard let effects else { return }
        for slot in effects.takeMissing(by: { reducer.presence(in: current) }) { slot.cancel() }
    }

    /// Ends the effects and the `Next` work of keys; with `includingParts`, all effects of their parts and of the parts within them.
    func cancelEffects(_ keys: Set<EffectKey>, includingParts: Bool = false) {
        for key in keys { cancelWork(key) }
        guard let effects else { return }
        for slot in includingParts ? effects.take(where: { $0.isInside(keys) }) : effects.take(keys) { slot.cancel() }
    }

    func cancelEffects() {
        for slot in effects?.take(where: { _ in true }) ?? [] { slot.cancel() }
        for lane in lanes { lane.slot.cancel() }
    }

    /// Begins the turn in which work is first called. The work's events are of this depth, by default one more than the present event's.
    func beginWorkTurn(depth: Int? = nil, isolation: isolated any Actor) -> FeedbackChain.WorkTurn {
        let turn = chain.beginTurn(depth: depth ?? chain.depth + 1, feedbackLimit)
        if turn.endsAtSuspension {
            // This job is queued before the work is called, so that it runs before any job that resumes the work.
            Task { [weak self] in
                _ = isolation
                self?.chain.endTurn()
            }
        }
        return turn
    }

    /// Drops the event and those of its chain that wait. If the event is too deep, only the waiting ones that are too deep go with it.
    @usableFromInline
    func stopRunaway(_ queued: QueuedEvent<Event>) {
        number += 1
        if observers.needs.contains(.effects) { notifyTaken(queued) }
        var dropped = 0
        let least = chain.isTooDeep(feedbackLimit) ? feedbackLimit.count + 1 : 1
        queue.forEach { waiting in
            guard let position = waiting.position, position.depth >= least, !position.isEmpty else { return }
            position.empty()
            dropped += 1
        }
        let removed = queue.removeAll { $0.position == nil && $0.depth >= least }
        dropped += removed.count
        asked = 0
        end(queued, number: number, .failed(RunawayFeedback(limit: feedbackLimit, dropped: dropped)))
        withExtendedLifetime(removed) {}
    }

    /// Queues an event that an effect sends.
    ///
    /// - Returns: its position, by which the effect may take it back.
    @inlinable
    func enqueue(_ event: Event, from origin: SendOrigin, depth: Int, _ cause: SendCause) -> QueuePosition<Event> {
        let position = QueuePosition<Event>(depth: depth, cause: cause)
        queue.append(QueuedEvent(event: event, origin: origin, sentAt: sendTime, position: position))
        return position
    }

    /// The time to stamp on an event that an effect sends; 0 if no middleware asks for timing.
    @inlinable var sendTime: UInt64 { observers.needs.contains(.timing) ? clock.nanoseconds : 0 }

    /// Runs what waits, unless something is under way. Stops the program unless this is called on the actor.
    func runWaiting(on actor: any Actor) {
        if isStopped || standing.turn != .idle { return }
        if nextRun != nil { return attendWork() }
        // Sound, because `assumeIsolated` stops the program unless this runs on the actor already.
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

    /// Reports the beginning of an effect, or of a `Next`'s work, to middleware; `nil` if none asks for effects.
    func effectBegan(_ source: EffectSource) -> EffectNotice<Event>? {
        guard observers.needs.contains(.effects) else { return nil }
        effectCount += 1
        let notice = EffectNotice(id: effectCount, source: source, number: number, event: notes.lastEvent, beganAt: clock.nanoseconds)
        occupy { observers.notify(notice) }
        return notice
    }

    /// Reports the end of an effect whose beginning ``effectBegan(_:)`` reported, now or at a time that was measured already.
    func effectEnded(_ notice: EffectNotice<Event>, _ outcome: Outcome, at time: UInt64? = nil) {
        // The middleware that asked may have been detached since.
        guard observers.needs.contains(.effects) else { return }
        occupy { observers.notify(notice.ended(outcome, at: time ?? clock.nanoseconds)) }
    }

    /// How many effects run, endless ones included.
    package var runningEffects: Int { lanes.reduce(effects?.runningCount ?? 0) { $0 + $1.slot.runningCount } }
}
