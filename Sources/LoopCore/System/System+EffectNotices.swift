extension System {
    /// Tells middleware that an effect begins; `nil` where nobody asks.
    func effectBegan(_ source: EffectNotice<Event>.Source) -> EffectNotice<Event>? {
        guard needs.contains(.effects) else { return nil }
        effectCount += 1
        let notice = EffectNotice(
            id: effectCount, source: source, number: number, event: lastEvent, beganAt: clock.nanoseconds, end: nil)
        tell(notice)
        return notice
    }

    /// Tells middleware that it has ended.
    func effectEnded(_ notice: EffectNotice<Event>, _ outcome: EffectNotice<Event>.Outcome) {
        // Whoever asked may be gone, and then nobody reads the clock.
        if needs.contains(.effects) { effectEnded(notice, outcome, at: clock.nanoseconds) }
    }

    /// The same for an end that was measured already: a later reading would lie within what came after it.
    func effectEnded(_ notice: EffectNotice<Event>, _ outcome: EffectNotice<Event>.Outcome, at time: UInt64) {
        if needs.contains(.effects) { tell(notice.ended(outcome, at: time)) }
    }

    /// Like a step, this lets nothing nest: what is sent meanwhile waits until the caller runs it.
    private func tell(_ notice: EffectNotice<Event>) {
        let wasDraining = isDraining
        isDraining = true
        for observer in observers where observer.isActive { observer.effect?(notice) }
        isDraining = wasDraining
        // Whoever was told may have stopped the system, and then nothing else ends the work under way.
        if isStopped && !wasDraining { endStoppedWork() }
    }

    /// Shows a step to those that did not ask how long middleware takes, and then, with that time, to those that did.
    @inlinable
    func notifyTiming(_ watching: ContiguousArray<Observer<State, Event>>, _ step: Step<State, Event>, _ timing: StepTiming) {
        var step = step
        var timing = timing
        // The end of the bindings is where the middleware begins, and needs no second reading.
        let beganAt = timing.shownAt &+ timing.bindings
        for observer in watching where observer.isActive && !observer.wantsMiddlewareTime { observer.handle(step) }
        timing.middleware = clock.nanoseconds &- beganAt
        step.timing = timing
        for observer in watching where observer.isActive && observer.wantsMiddlewareTime { observer.handle(step) }
    }
}
