/// One feedback of one system while it runs: it watches the states, and has at most one effect that a later one replaces.
@usableFromInline
final class FeedbackLane<State, Event> {
    private let decide: Feedback<State, Event>.Decide
    private let name: String
    private var current: EffectRun<Event>?
    /// Effects that run beside it, until they end.
    private var added: [EffectRun<Event>] = []
    /// At how many of them to look for ended ones again, so that looking costs O(1) for each that is added.
    private var sweepAt = 8

    /// - Parameter number: names it if nobody else has: `feedback 1`.
    init(_ part: Feedback<State, Event>.Part, number: Int) {
        decide = part.make()
        name = part.name ?? "feedback \(number)"
    }

    func see(_ state: State, _ event: Event?, host: some FeedbackHost<Event>, isolation: isolated any Actor) {
        let decision = decide(state, event)
        // To decide, user code ran, and it may have stopped the system.
        if host.isStopped { return }
        switch decision {
        case .keep: break
        case .cancel: cancel()
        case .replace(let effect): replace(with: effect, host: host, isolation: isolation)
        case .add(let effect): add(effect, host: host, isolation: isolation)
        }
    }

    private func replace(with effect: Effect<Event>, host: some FeedbackHost<Event>, isolation: isolated any Actor) {
        let old = current.take()
        if effect.isNone {
            old?.cancel()
            return
        }
        let places = old?.makeWay() ?? EventQueue()
        // The end of the old one may have stopped the system.
        if host.isStopped { return }
        // Consumed, as a second reference to them would cost a copy when the first is used.
        let run = EffectRun(of: name, host: host, inherited: consume places)
        // Before it begins, so that a stop from inside it finds it.
        current = run
        run.begin(effect, isolation: isolation)
    }

    private func add(_ effect: Effect<Event>, host: some FeedbackHost<Event>, isolation: isolated any Actor) {
        if effect.isNone { return }
        if added.count >= sweepAt {
            added.removeAll { !$0.isRunning }
            sweepAt = max(8, added.count * 2)
        }
        let run = EffectRun(of: name, host: host)
        added.append(run)
        run.begin(effect, isolation: isolation)
    }

    var runningCount: Int { added.count(where: \.isRunning) + (current?.isRunning == true ? 1 : 0) }

    func cancel() {
        let runs = added + (current.map { [$0] } ?? [])
        current = nil
        added = []
        for run in runs { run.cancel() }
    }
}
