public import LoopCore

/// Questions to what was recorded. All of them look through every step: O(n).
extension StepRecorder {
    /// The steps of one phase.
    public func steps(_ phase: Step<State, Event>.Phase) -> [Step<State, Event>] { steps.filter { $0.phase == phase } }

    /// All steps of one event: its loading states and the one it ended with.
    ///
    /// - Parameter number: as in ``/LoopCore/Step/number``. The initial step, and those of failed effects, belong to no event.
    public func steps(ofEvent number: Int) -> [Step<State, Event>] { steps.filter { $0.event != nil && $0.number == number } }

    /// The events for which the condition holds, each once, in the order in which they ended.
    public func events(where isWanted: (Event) -> Bool) -> [Event] { events.filter(isWanted) }

    /// The payloads of the events of one case.
    ///
    /// ```swift
    /// #expect(recorder.payloads(of: EnumCase(Shop.Event.loaded)) == ["sku-1"])
    /// ```
    public func payloads<Payload>(of enumCase: EnumCase<Event, Payload>) -> [Payload] { events.compactMap(enumCase.extract) }

    /// The settled states that events led to for which the condition holds.
    public func states(after isWanted: (Event) -> Bool) -> [State] {
        steps.filter { $0.phase == .settled && $0.event.map(isWanted) ?? false }.map(\.state)
    }

    /// The first step for which the condition holds.
    public func first(where isWanted: (Step<State, Event>) -> Bool) -> Step<State, Event>? { steps.first(where: isWanted) }

    /// The changes, one for each settled step with an event: the state before it and after it. Steps that were recorded without
    /// ``/LoopCore/MiddlewareNeeds/previousState`` are left out.
    public var changes: [(event: Event, before: State, after: State)] {
        steps.compactMap { step in
            guard step.phase == .settled, let event = step.event, let before = step.previousState else { return nil }
            return (event, before, step.state)
        }
    }
}
