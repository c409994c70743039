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
    ///   - isSame: whether a part counts as no change, as for the whole store; `nil` asks `==` where there is one.
    public func scope<Part, PartEvent>(
        state part: @escaping (State) -> Part, event: @escaping (PartEvent) -> Event, isSame: ((Part, Part) -> Bool)? = nil
    ) -> ViewStore<Part, PartEvent> {
        ViewStore<Part, PartEvent>(scope.scope(state: part, event: event), isSame: isSame)
    }

    /// A store of a part that sends this store's events.
    public func scope<Part>(state part: @escaping (State) -> Part, isSame: ((Part, Part) -> Bool)? = nil) -> ViewStore<Part, Event> {
        scope(state: part, event: { $0 }, isSame: isSame)
    }
}
