import LoopCore

/// Numbers the steps of another library's loop and hands them to a middleware. It keeps a state and reads a clock only if that asks for it.
final class ForeignLoop<State, Event> {
    /// An event with the number of its steps, and when its work began: `nil` if that is not asked for or not known.
    typealias Taken = (event: Event, number: Int, startedAt: UInt64?)

    let needs: MiddlewareNeeds

    private let watcher: Middleware<State, Event>.Watcher
    private let clock: StepClock?
    private var number = 0
    private var last: State?

    /// An `initialState` makes an `.initial` step at once; give `nil` if the library reports its first state itself. Give `nil` as `clock`
    /// where the adapter cannot know when an event's work began.
    init(_ middleware: Middleware<State, Event>, initialState: State?, clock: StepClock?, name: String?) {
        watcher = middleware.makeWatcher(for: LoopInfo(name: name))
        needs = middleware.needs
        self.clock = needs.contains(.timing) ? clock : nil
        if let initialState { began(with: initialState) }
    }

    /// Reports the first state of the loop, or of a loop that starts over.
    func began(with state: State) {
        if needs.contains(.previousState) { last = state }
        watcher.step(Step(number: number, event: nil, phase: .initial, state: state))
    }

    /// Reports an event whose work begins now: a recorder writes it before the work, which may crash or send others.
    func take(_ event: Event) -> Taken {
        number += 1
        watcher.taken?(number, event, nil, nil)
        return (event, number, clock?.nanoseconds)
    }

    /// Reports that the loop went on to `state`, by an event if the library reports it. Without `previous`, the last state seen counts.
    func saw(_ taken: Taken?, previous: State? = nil, state: State) {
        if taken == nil { number += 1 }
        let before = previous ?? last
        if needs.contains(.previousState), case .none = previous { last = state }
        report(taken, previous: before, state: state)
    }

    /// Reports that the reducer returned and that the state comes later; meanwhile the loop shows `shown`.
    ///
    /// - Returns: a function that takes how the work ended. Only its first call counts.
    func began(_ taken: Taken, from state: State, showing shown: @autoclosure () -> State?) -> (Result<State, any Error>) -> Void {
        let reducedAt = clock?.nanoseconds
        let shown = shown()
        if let shown { report(taken, .loading, previous: state, state: shown, outcome: nil, reducedAt: reducedAt) }
        var isSettled = false
        return { result in
            if isSettled { return }
            isSettled = true
            var (next, outcome) = (state, Outcome.finished)
            switch result {
            case .success(let state): next = state
            case .failure(let error): outcome = .failed(error)
            }
            self.report(
                taken, previous: shown ?? state, state: next, outcome: outcome, reducedAt: reducedAt, endedAt: self.clock?.nanoseconds)
        }
    }

    /// - Parameter reducedAt: `nil` for now.
    private func report(
        _ taken: Taken?, _ phase: StepPhase = .settled, previous: State?, state: State, outcome: Outcome? = .finished,
        reducedAt: UInt64? = nil, endedAt: UInt64? = nil
    ) {
        var step = Step(number: taken?.number ?? number, event: taken?.event, phase: phase, state: state, outcome: outcome)
        if needs.contains(.previousState) { step.previousState = previous }
        if let startedAt = taken?.startedAt, let reducedAt = reducedAt ?? clock?.nanoseconds {
            let effect = endedAt.map { $0 &- reducedAt }
            step.timing = StepTiming(startedAt: startedAt, queueWait: 0, reduce: reducedAt &- startedAt, effect: effect, bindings: 0)
        }
        watcher.step(step)
    }
}
