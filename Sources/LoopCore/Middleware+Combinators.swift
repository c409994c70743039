/// Middleware made of middleware. None of these changes what a middleware needs, and none lets it touch the loop.
extension Middleware {
    /// Lets only some steps through.
    public func filter(_ isWanted: @escaping (Step<State, Event>) -> Bool) -> Middleware {
        Middleware(needs: needs) {
            let handle = self.makeHandler()
            return { step in if isWanted(step) { handle(step) } }
        }
    }

    /// Middleware of a part, for a system of the whole. Steps without a state of the part are left out; so are those whose event means
    /// nothing there, the initial one excepted.
    public func pullback<Whole, WholeEvent>(
        state: @escaping (Whole) -> State?, event: @escaping (WholeEvent) -> Event?
    ) -> Middleware<Whole, WholeEvent> {
        Middleware<Whole, WholeEvent>(needs: needs) {
            let handle = self.makeHandler()
            return { step in if let local = step.map(state: state, event: event) { handle(local) } }
        }
    }

    /// The same for a property of the whole, with the same events.
    public func pullback<Whole>(state: @escaping (Whole) -> State) -> Middleware<Whole, Event> {
        pullback(state: { state($0) }, event: { $0 })
    }

    /// Lets one event in so many through, all of its steps, beginning with the first; steps without an event always.
    ///
    /// By the event's number, so several that are sampled alike see the same events.
    ///
    /// - Parameter every: 1 or more.
    public func sampled(every: Int) -> Middleware {
        precondition(every > 0, "sampled(every:) wants 1 or more; \(every) would let nothing through.")
        return filter { $0.event == nil || ($0.number - 1) % every == 0 }
    }

    /// Several as one, in their order.
    public static func combined(_ middleware: Middleware...) -> Middleware { combined(middleware) }

    /// The same for a list.
    public static func combined(_ middleware: [Middleware]) -> Middleware {
        Middleware(needs: middleware.reduce(into: []) { $0.formUnion($1.needs) }) {
            let handlers = middleware.map { $0.makeHandler() }
            return { step in for handle in handlers { handle(step) } }
        }
    }

    /// Nothing at all if the condition holds when this is called: it then needs nothing and costs next to nothing.
    public func disabled(if isDisabled: Bool) -> Middleware { isDisabled ? Middleware { _ in } : self }
}

extension Step {
    /// The step as a part of the system sees it; `nil` if it does not concern the part.
    func map<Part, PartEvent>(
        state: (State) -> Part?, event: (Event) -> PartEvent?
    ) -> Step<Part, PartEvent>? {
        guard let part = state(self.state) else { return nil }
        let partEvent = self.event.flatMap(event)
        if self.event != nil && partEvent == nil { return nil }
        let outcome: Step<Part, PartEvent>.Outcome? =
            switch self.outcome {
            case .finished: .finished
            case .failed(let error): .failed(error)
            case .cancelled: .cancelled
            case nil: nil
            }
        let phase: Step<Part, PartEvent>.Phase =
            switch self.phase {
            case .initial: .initial
            case .loading: .loading
            case .settled: .settled
            case .effect: .effect
            }
        return Step<Part, PartEvent>(
            number: number, event: partEvent, phase: phase, state: part, previousState: previousState.flatMap(state),
            timing: timing, origin: origin, outcome: outcome)
    }
}
