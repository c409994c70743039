import LoopCore

extension ViewStore {
    /// A store of a part: it sees that part of the state and sends its own events.
    ///
    /// Changes elsewhere do not reach it. It keeps the system alive, not the store it comes from.
    /// ```swift
    /// let basket = shop.scope(state: { $0.basket }, event: Shop.Event.basket)
    /// ```
    /// - Parameters:
    ///   - part: finds the part in the state; called at each step.
    ///   - event: makes the system's event from the part's.
    public func scope<Part: Equatable, PartEvent>(
        state part: @escaping (State) -> Part, event: @escaping (PartEvent) -> Event
    ) -> ViewStore<Part, PartEvent> {
        scope(state: part, event: event) { $0 == $1 }
    }

    /// A store of a part that sends the same events.
    public func scope<Part: Equatable>(state part: @escaping (State) -> Part) -> ViewStore<Part, Event> {
        scope(state: part, event: { $0 }, isSame: { $0 == $1 })
    }

    /// A store of a part that cannot be compared, or not by `==`. Each step counts as a change, unless `isSame` says otherwise.
    public func scope<Part, PartEvent>(
        state part: @escaping (State) -> Part, event: @escaping (PartEvent) -> Event,
        isSame: @escaping (Part, Part) -> Bool = { _, _ in false }
    ) -> ViewStore<Part, PartEvent> {
        ViewStore<Part, PartEvent>(scope.scope(state: part, event: event), isSame: isSame)
    }

    /// A store of a part that sends this store's events.
    public func scope<Part>(
        state part: @escaping (State) -> Part, isSame: @escaping (Part, Part) -> Bool = { _, _ in false }
    ) -> ViewStore<Part, Event> {
        scope(state: part, event: { $0 }, isSame: isSame)
    }
}
