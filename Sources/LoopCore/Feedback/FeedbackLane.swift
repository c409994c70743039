/// One feedback of one system while it runs: it observes the states, and has at most one effect that a later one replaces.
@usableFromInline
final class FeedbackLane<State, Event> {
    private let decide: Feedback<State, Event>.Decide
    private let name: String
    private var current: EffectRun<State, Event>?
    /// Effects that nothing replaces: those that run beside the current one, and ended ones whose events wait.
    private var others: [EffectRun<State, Event>] = []
    /// At how many of them to look for spent ones again, so that looking costs O(1) for each that is added.
    private var sweepAt = 8

    /// - Parameter number: names a feedback that has no name of its own: `feedback 1`.
    init(_ part: Feedback<State, Event>.Part, number: Int) {
        decide = part.make()
        name = part.name ?? "feedback \(number)"
    }

    func see(_ state: State, _ event: Event?, in system: System<State, Event>, isolation: isolated any Actor) {
        let decision = decide(state, event)
        // To decide, user code ran, and it may have stopped the system.
        if system.isStopped { return }
        switch decision {
        case .keep: break
        case .cancel: cancel()
        case .replace(let effect): replace(with: effect, in: system, isolation: isolation)
        case .add(let effect): add(effect, in: system, isolation: isolation)
        }
    }

    private func replace(with effect: Effect<Event>, in system: System<State, Event>, isolation: isolated any Actor) {
        let old = current.take()
        if effect.isNone {
            guard let old else { return }
            // Nothing replaces it: an effect that has ended keeps its events.
            if old.isRunning { old.cancel() } else { keep(old) }
            return
        }
        let positions = old?.cancelForReplacement() ?? EventQueue()
        // The end of the old one may have stopped the system.
        if system.isStopped { return }
        // Consumed, as a second reference to them would cost a copy when the first is used.
        let run = EffectRun(of: name, in: system, inherited: consume positions)
        // Before it begins, so that a stop from inside it finds it.
        current = run
        run.begin(effect, isolation: isolation)
    }

    private func add(_ effect: Effect<Event>, in system: System<State, Event>, isolation: isolated any Actor) {
        if effect.isNone { return }
        let run = EffectRun(of: name, in: system)
        keep(run)
        run.begin(effect, isolation: isolation)
    }

    private func keep(_ run: EffectRun<State, Event>) {
        if others.count >= sweepAt {
            others.removeAll { $0.isSpent }
            sweepAt = max(8, others.count * 2)
        }
        others.append(run)
    }

    var runningCount: Int { others.count(where: \.isRunning) + (current?.isRunning == true ? 1 : 0) }

    /// Cancels all effects and removes their events that wait, also those of ended effects.
    func cancel() {
        let runs = others + (current.map { [$0] } ?? [])
        current = nil
        others = []
        for run in runs { run.cancel() }
    }
}
