extension System {
    /// Tells middleware that an effect begins; `nil` where nobody asks.
    func effectBegan(_ source: EffectNotice<Event>.Source) -> EffectNotice<Event>? {
        guard observers.needs.contains(.effects) else { return nil }
        effectCount += 1
        let notice = EffectNotice(
            id: effectCount, source: source, number: number, event: lastEvent, beganAt: clock.nanoseconds, end: nil)
        tell(notice)
        return notice
    }

    /// Tells middleware that it has ended.
    func effectEnded(_ notice: EffectNotice<Event>, _ outcome: EffectNotice<Event>.Outcome) {
        // Whoever asked may be gone, and then nobody reads the clock.
        if observers.needs.contains(.effects) { effectEnded(notice, outcome, at: clock.nanoseconds) }
    }

    /// The same for an end that was measured already: a later reading would lie within what came after it.
    func effectEnded(_ notice: EffectNotice<Event>, _ outcome: EffectNotice<Event>.Outcome, at time: UInt64) {
        if observers.needs.contains(.effects) { tell(notice.ended(outcome, at: time)) }
    }

    /// Like a step, this lets nothing nest: what is sent meanwhile waits until the caller runs it.
    private func tell(_ notice: EffectNotice<Event>) {
        let wasDraining = isDraining
        isDraining = true
        observers.notify(notice)
        isDraining = wasDraining
        // Whoever was told may have stopped the system, and then nothing else ends the work under way.
        if isStopped && !wasDraining { endStoppedWork() }
    }
}
