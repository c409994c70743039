import LoopCore

/// Numbers the steps of another library's loop and hands them to a middleware. It keeps a state and reads a clock only if the middleware
/// asks for that.
final class ForeignLoop<State, Event> {
    let needs: MiddlewareNeeds

    private let handle: Middleware<State, Event>.Handler
    private let clock: StepClock?
    private var number = 0
    private var last: State?

    /// An `initialState` makes an `.initial` step at once; give `nil` if the library reports its first state itself. Give `nil` as `clock`
    /// where the adapter cannot know when an event's work began.
    init(_ middleware: Middleware<State, Event>, initialState: State?, clock: StepClock?, name: String?) {
        handle = middleware.makeWatcher(for: LoopInfo(name: name)).step
        needs = middleware.needs
        self.clock = needs.contains(.timing) ? clock : nil
        if let initialState { began(with: initialState) }
    }

    /// The time to hand to ``saw(_:previous:state:startedAt:)``; `nil` without a clock, and if the middleware does not ask for timing.
    var now: UInt64? { clock?.nanoseconds }

    /// Reports the first state of the loop, or of a loop that starts over.
    func began(with state: State) {
        if needs.contains(.previousState) { last = state }
        handle(Step(number: number, event: nil, phase: .initial, state: state))
    }

    /// Reports that the loop went on to `state`, by an event if the library reports it. If the adapter does not have the `previous` state,
    /// the last one seen here takes its place. `startedAt` is the value of ``now`` before the event's work; `nil` if that is not known.
    func saw(_ event: Event?, previous: State? = nil, state: State, startedAt: UInt64? = nil) {
        number += 1
        var step = Step(number: number, event: event, phase: .settled, state: state)
        if needs.contains(.previousState) {
            step.previousState = previous ?? last
            if case .none = previous { last = state }
        }
        if let startedAt, let clock {
            step.timing = StepTiming(startedAt: startedAt, queueWait: 0, reduce: clock.nanoseconds &- startedAt, bindings: 0)
        }
        handle(step)
    }

    /// Reports that the reducer returned and that the state comes later; meanwhile the loop shows `shown`.
    ///
    /// - Returns: a function that takes how the work ended. Only its first call counts.
    func began(
        _ event: Event, from state: State, startedAt: UInt64?, showing shown: @autoclosure () -> State?
    ) -> (Result<State, any Error>) -> Void {
        number += 1
        let (number, reducedAt) = (number, now)
        let shown = shown()
        let report = { (step: Step<State, Event>, previous: State, endedAt: UInt64?) in
            var step = step
            if self.needs.contains(.previousState) { step.previousState = previous }
            if let startedAt, let reducedAt {
                let effect = endedAt.map { $0 &- reducedAt }
                step.timing = StepTiming(startedAt: startedAt, queueWait: 0, reduce: reducedAt &- startedAt, effect: effect, bindings: 0)
            }
            self.handle(step)
        }
        if let shown { report(Step(number: number, event: event, phase: .loading, state: shown, outcome: nil), state, nil) }
        var isSettled = false
        return { result in
            if isSettled { return }
            isSettled = true
            var step = Step(number: number, event: event, phase: .settled, state: state)
            switch result {
            case .success(let state): step.state = state
            case .failure(let error): step.outcome = .failed(error)
            }
            report(step, shown ?? state, self.now)
        }
    }
}
