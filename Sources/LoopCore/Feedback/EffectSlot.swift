/// The effects of one feedback or of one name: the current one, which a later one replaces, and others that run beside it.
@usableFromInline
final class EffectSlot<State, Event> {
    @usableFromInline let name: String
    private var current: EffectRun<State, Event>?
    /// Effects that nothing replaces: those that run beside the current one, and ended ones whose events wait.
    private var others: [EffectRun<State, Event>] = []
    /// At this number of ``others`` the spent ones are removed: the search costs amortised O(1) for each effect that is added.
    private var sweepAt = 8
    /// The queue positions of effects that send one event at once: these need no `EffectRun`.
    @exclusivity(unchecked) @usableFromInline var positions = EventQueue<QueuePosition<Event>>()

    init(_ name: String) { self.name = name }

    /// Begins an effect in place of the current one. Empty `kinds` only cancel the current effect, if it still runs.
    func replace(with kinds: [Effect<Event>.Kind], in system: System<State, Event>, isolation: isolated any Actor) {
        let old = current.take()
        if kinds.isEmpty {
            guard let old else { return }
            // No effect replaces it: one that has ended keeps its events.
            if old.isRunning { old.cancel() } else { keep(old) }
            return
        }
        let positions = old?.cancel() ?? EventQueue()
        // The end of the old one may have stopped the system.
        if system.isStopped { return }
        // Consumed: with a second reference to the positions, the first use would copy them.
        let run = EffectRun(name, in: system, inherited: consume positions)
        // Set before the run begins, so that a stop from inside the run finds it.
        current = run
        run.begin(kinds, isolation: isolation)
    }

    /// Cancels the effects that ``replace(with:in:isolation:)`` leaves alone.
    func cancelOthers() {
        for run in exchange(&others, with: []) { run.cancel() }
        positions.removeAll().forEach { $0.empty() }
    }

    /// Adds an effect that sends one event at once. No middleware is told of it.
    @inlinable
    func add(_ event: Event, in system: System<State, Event>) {
        positions.trimEmpty()
        let cause = SendCause(number: system.number, feedback: name)
        positions.append(system.enqueue(event, from: .unknown, depth: system.chain.depth + 1, cause))
    }

    func add(_ kinds: [Effect<Event>.Kind], in system: System<State, Event>, isolation: isolated any Actor) {
        if kinds.isEmpty { return }
        let run = EffectRun(name, in: system)
        keep(run)
        run.begin(kinds, isolation: isolation)
    }

    private func keep(_ run: EffectRun<State, Event>) {
        if others.count >= sweepAt {
            others.removeAll { $0.isSpent }
            sweepAt = max(8, others.count * 2)
        }
        others.append(run)
    }

    var runningCount: Int { others.count(where: \.isRunning) + (current?.isRunning == true ? 1 : 0) }

    var isSpent: Bool {
        positions.trimEmpty()
        return positions.isEmpty && others.allSatisfy(\.isSpent) && current?.isSpent ?? true
    }

    /// Cancels all effects and removes their events that wait, also those of ended effects.
    func cancel() {
        let last = current.take()
        cancelOthers()
        last?.cancel()
    }
}
