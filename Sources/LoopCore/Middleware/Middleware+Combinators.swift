/// Middleware made of other middleware. The result needs what the others need and, like them, cannot touch the loop.
extension Middleware {
    /// Lets only some steps through. Notices of effects pass. A recorder writes an event when a step of it passes: after its reducer.
    @inlinable
    public func filter(_ isWanted: @escaping (Step<State, Event>) -> Bool) -> Middleware { filter(makingTest: { isWanted }) }

    /// Lets only some steps through, by a test that is made for each system and may keep something for it. Notices of effects pass.
    @inlinable
    package func filter(makingTest: @escaping () -> (Step<State, Event>) -> Bool) -> Middleware {
        Middleware(needs: needs) { loop in
            let watcher = self.makeWatcher(for: loop)
            let isWanted = makingTest()
            guard let take = watcher.taken else { return Watcher(step: { if isWanted($0) { watcher.step($0) } }, effect: watcher.effect) }
            // Only a step tells whether its event is wanted: until then it waits, and several may be under way.
            var waiting: [Int: () -> Void] = [:]
            return Watcher(
                step: { step in
                    if isWanted(step) {
                        waiting.removeValue(forKey: step.number)?()
                        watcher.step(step)
                    } else if step.phase == .settled {
                        waiting[step.number] = nil
                    }
                }, effect: watcher.effect,
                taken: { number, event, origin, cause in waiting[number] = { take(number, event, origin, cause) } })
        }
    }

    /// Middleware of a part, for a system of the whole. It drops steps whose state or event does not map, and notices of effects that such
    /// an event started. A step without an event, such as the initial one, is kept if its state maps.
    public func pullback<Whole, WholeEvent>(
        state: @escaping (Whole) -> State?, event: @escaping (WholeEvent) -> Event?
    ) -> Middleware<Whole, WholeEvent> { pullback(of: { whole, _ in state(whole) }, event: event) }

    /// - Parameter state: finds the part in a state, for a step of an event.
    func pullback<Whole, WholeEvent>(
        of state: @escaping (Whole, WholeEvent?) -> State?, event: @escaping (WholeEvent) -> Event?
    ) -> Middleware<Whole, WholeEvent> {
        Middleware<Whole, WholeEvent>(needs: needs) { loop in
            let watcher = self.makeWatcher(for: loop)
            return .init(
                step: { step in if let local = step.map(state: { state($0, step.event) }, event: event) { watcher.step(local) } },
                effect: watcher.effect.map { notify in { notice in if let local = notice.map(event) { notify(local) } } },
                taken: watcher.taken.map { notify in { if let local = event($1) { notify($0, local, $2, $3) } } })
        }
    }

    /// Keeps the first and then every n-th event with its steps and effects. Steps without an event and effects of the initial state pass.
    ///
    /// Events are chosen by their number, so two middleware sampled alike see the same events.
    ///
    /// - Parameter every: 1 or more.
    @inlinable
    public func sampled(every: Int) -> Middleware {
        precondition(every > 0, "sampled(every:) wants 1 or more; \(every) would let nothing through.")
        return Middleware(needs: needs) { loop in
            let watcher = self.makeWatcher(for: loop)
            return Watcher(
                step: { step in if step.event == nil || (step.number - 1) % every == 0 { watcher.step(step) } },
                effect: watcher.effect.map { notify in { notice in if (max(notice.number, 1) - 1) % every == 0 { notify(notice) } } },
                taken: watcher.taken.map { notify in { if ($0 - 1) % every == 0 { notify($0, $1, $2, $3) } } })
        }
    }

    /// Several middleware as one, in their order, those last that ask for ``MiddlewareNeeds/middlewareTime``: it leaves out all of them.
    public static func combined(_ middleware: Middleware...) -> Middleware {
        Middleware(needs: middleware.reduce(into: []) { $0.formUnion($1.needs) }) { loop in
            let asking = middleware.filter { $0.needs.contains(.middlewareTime) }
            let watchers = (middleware.filter { !$0.needs.contains(.middlewareTime) } + asking).map { $0.makeWatcher(for: loop) }
            let effects = watchers.compactMap(\.effect)
            return Watcher(
                step: { step in for watcher in watchers { watcher.step(step) } },
                effect: effects.isEmpty ? nil : { notice in for notify in effects { notify(notice) } },
                taken: effects.isEmpty ? nil : { for watcher in watchers { watcher.taken?($0, $1, $2, $3) } })
        }
    }
}

extension Step {
    /// The step as a part of the system sees it; `nil` if it does not concern the part.
    func map<Part, PartEvent>(state: (State) -> Part?, event: (Event) -> PartEvent?) -> Step<Part, PartEvent>? {
        guard let part = state(self.state) else { return nil }
        let partEvent = self.event.flatMap(event)
        if self.event != nil && partEvent == nil { return nil }
        return Step<Part, PartEvent>(
            number: number, event: partEvent, phase: phase, state: part, previousState: previousState.flatMap(state),
            timing: timing, origin: origin, outcome: outcome, isReplay: isReplay)
    }
}
