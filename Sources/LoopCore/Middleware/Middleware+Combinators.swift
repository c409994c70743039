/// Middleware made of middleware. None of these changes what a middleware needs, and none lets it touch the loop.
extension Middleware {
    /// Lets only some steps through. Notices of effects pass.
    @inlinable
    public func filter(_ isWanted: @escaping (Step<State, Event>) -> Bool) -> Middleware { filter(makingTest: { isWanted }) }

    /// Lets only some steps through, by a test that may keep something for each system it is attached to. Notices of effects pass.
    @inlinable
    package func filter(makingTest: @escaping () -> (Step<State, Event>) -> Bool) -> Middleware {
        Middleware(needs: needs) {
            let watcher = self.makeWatcher()
            let isWanted = makingTest()
            return Watcher(step: { step in if isWanted(step) { watcher.step(step) } }, effect: watcher.effect)
        }
    }

    /// Middleware of a part, for a system of the whole. Steps without a state of the part are left out; so are those whose event means
    /// nothing there, the initial one excepted, and the effects that such an event started.
    public func pullback<Whole, WholeEvent>(
        state: @escaping (Whole) -> State?, event: @escaping (WholeEvent) -> Event?
    ) -> Middleware<Whole, WholeEvent> {
        Middleware<Whole, WholeEvent>(needs: needs) {
            let watcher = self.makeWatcher()
            return .init(
                step: { step in if let local = step.map(state: state, event: event) { watcher.step(local) } },
                effect: watcher.effect.map { tell in { notice in if let local = notice.map(event) { tell(local) } } })
        }
    }

    /// Middleware of a property of the whole, which sees all events.
    public func pullback<Whole>(state: @escaping (Whole) -> State) -> Middleware<Whole, Event> {
        pullback(state: { state($0) }, event: { $0 })
    }

    /// Lets one event in so many through, all of its steps and the effects it started, beginning with the first; steps without an
    /// event always, and the effects that the initial state started.
    ///
    /// By the event's number, so several that are sampled alike see the same events.
    ///
    /// - Parameter every: 1 or more.
    @inlinable
    public func sampled(every: Int) -> Middleware {
        precondition(every > 0, "sampled(every:) wants 1 or more; \(every) would let nothing through.")
        return Middleware(needs: needs) {
            let watcher = self.makeWatcher()
            return Watcher(
                step: { step in if step.event == nil || (step.number - 1) % every == 0 { watcher.step(step) } },
                effect: watcher.effect.map { tell in { notice in if (max(notice.number, 1) - 1) % every == 0 { tell(notice) } } })
        }
    }

    /// Several as one, in their order. The ``MiddlewareNeeds/middlewareTime`` that one of them asks for contains none of them.
    public static func combined(_ middleware: Middleware...) -> Middleware {
        Middleware(needs: middleware.reduce(into: []) { $0.formUnion($1.needs) }) {
            let watchers = middleware.map { $0.makeWatcher() }
            let effects = zip(middleware, watchers).compactMap { $0.needs.contains(.effects) ? $1.effect : nil }
            return Watcher(
                step: { step in for watcher in watchers { watcher.step(step) } },
                effect: effects.isEmpty ? nil : { notice in for tell in effects { tell(notice) } })
        }
    }
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
            case .effectFailed: .effectFailed
            }
        return Step<Part, PartEvent>(
            number: number, event: partEvent, phase: phase, state: part, previousState: previousState.flatMap(state),
            timing: timing, origin: origin, outcome: outcome, isReplay: isReplay)
    }
}
