public import LoopCore

extension ViewStore {
    /// A store of a part that may be missing; `nil` while it is.
    ///
    /// ```swift
    /// if let detail = store.ifLet(\.detail) { DetailView(store: detail) }
    /// ```
    /// A part that goes later does not end the store: it keeps the last value until the view that shows it is gone too, and follows
    /// a part that comes back.
    ///
    /// Asking counts as reading the state.
    ///
    /// - Parameters:
    ///   - part: finds the part in the state.
    ///   - event: makes the system's event from the part's.
    public func ifLet<Part: Equatable, PartEvent>(
        _ part: @escaping (State) -> Part?, event: @escaping (PartEvent) -> Event
    ) -> ViewStore<Part, PartEvent>? {
        ifLet(part, event: event) { $0 == $1 }
    }

    /// A store of a part that may be missing and sends the same events; `nil` while it is missing.
    public func ifLet<Part: Equatable>(_ part: @escaping (State) -> Part?) -> ViewStore<Part, Event>? {
        ifLet(part, event: { $0 }, isSame: { $0 == $1 })
    }

    /// A store of a part that may be missing and cannot be compared, or not by `==`.
    public func ifLet<Part, PartEvent>(
        _ part: @escaping (State) -> Part?, event: @escaping (PartEvent) -> Event,
        isSame: @escaping (Part, Part) -> Bool = { _, _ in false }
    ) -> ViewStore<Part, PartEvent>? {
        // Observed, so that who asks is notified when the part comes or goes.
        _ = state
        return scope.scope(ifLet: part, event: event).map { ViewStore<Part, PartEvent>($0, isSame: isSame) }
    }

    /// A store of an optional part that sends this store's events.
    public func ifLet<Part>(
        _ part: @escaping (State) -> Part?, isSame: @escaping (Part, Part) -> Bool = { _, _ in false }
    ) -> ViewStore<Part, Event>? {
        ifLet(part, event: { $0 }, isSame: isSame)
    }

    /// A store of what one case of an enum carries; `nil` in any other case.
    ///
    /// ```swift
    /// if let home = app.caseLet(EnumCase(App.signedIn), event: AppEvent.home) { HomeView(home: home) }
    /// ```
    /// - Parameters:
    ///   - stateCase: the case; by its name alone it is found by reflection, at each step.
    ///   - event: makes the system's event from the case's.
    public func caseLet<Part: Equatable, PartEvent>(
        _ stateCase: EnumCase<State, Part>, event: @escaping (PartEvent) -> Event
    ) -> ViewStore<Part, PartEvent>? {
        ifLet(stateCase.extract, event: event)
    }

    /// A store of what one case of an enum carries, with the same events; `nil` in any other case.
    public func caseLet<Part: Equatable>(_ stateCase: EnumCase<State, Part>) -> ViewStore<Part, Event>? { ifLet(stateCase.extract) }

    /// A store of what one case of an enum carries and that cannot be compared, or not by `==`.
    public func caseLet<Part, PartEvent>(
        _ stateCase: EnumCase<State, Part>, event: @escaping (PartEvent) -> Event,
        isSame: @escaping (Part, Part) -> Bool = { _, _ in false }
    ) -> ViewStore<Part, PartEvent>? {
        ifLet(stateCase.extract, event: event, isSame: isSame)
    }
}
