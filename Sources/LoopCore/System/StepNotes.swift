/// What the middleware of a system asked to know about the step under way, beside the event and the state. Steps do not nest, so one object
/// for each system is enough. It keeps large values off the stack.
@usableFromInline
final class StepNotes<State, Event> {
    // Unchecked, as in `System`.
    @exclusivity(unchecked) @usableFromInline var previous: State?
    @exclusivity(unchecked) @usableFromInline var timing: StepTiming?
    /// Whether ``clear()`` has something to release.
    @exclusivity(unchecked) @usableFromInline var isInUse = false
    /// The last event that was taken, while a middleware asks for effects.
    @exclusivity(unchecked) @usableFromInline var lastEvent: Event?
    @exclusivity(unchecked) @usableFromInline var eventBefore: Event?
    /// The state that left the history to make room for the current one.
    @exclusivity(unchecked) @usableFromInline var forgotten: State?

    /// Begins the notes of an event that is about to be reduced.
    @inlinable
    @inline(never)
    func prepare(for queued: QueuedEvent<Event>, _ needs: MiddlewareNeeds, _ clock: StepClock) {
        isInUse = true
        if needs.contains(.effects) {
            eventBefore = lastEvent
            lastEvent = queued.event
        }
        if needs.contains(.timing) { timing = StepTiming(sentAt: queued.sentAt, clock) }
    }

    /// Notes how long the reducer took, when it has returned.
    @inlinable
    func endReducing(_ clock: StepClock) {
        guard let begun = timing else { return }
        timing = StepTiming(
            startedAt: begun.startedAt, queueWait: begun.queueWait, reduce: clock.nanoseconds &- begun.startedAt, bindings: 0)
    }

    @inlinable
    func keep(_ previous: State) {
        isInUse = true
        self.previous = previous
    }

    /// Keeps a state that left the history until all have seen the step: its deinit may add an observer or stop the system.
    func hold(_ forgotten: State?) {
        isInUse = true
        self.forgotten = forgotten
    }

    /// Forgets the step, when all have seen it.
    @inlinable
    @inline(never)
    func clear() {
        isInUse = false
        timing = nil
        previous = nil
        eventBefore = nil
        forgotten = nil
    }
}

extension Step {
    /// A system's step. Each large value is copied once, straight to where it stays, not through copies on the stack.
    @inlinable
    init(
        number: Int, _ queued: QueuedEvent<Event>, phase: StepPhase, state: State, _ notes: StepNotes<State, Event>, outcome: Outcome?,
        isReplay: Bool
    ) {
        self.number = number
        self.event = queued.event
        self.phase = phase
        self.isReplay = isReplay
        self.state = state
        self.previousState = notes.previous
        self.timing = notes.timing
        self.origin = queued.origin.known
        self.outcome = outcome
    }
}
