public import LoopCore
public import LoopViews

extension ViewStore {
    /// A store of a part that may be missing; `nil` while it is. In new code, declare a `Part` and call `scope(_:)`.
    ///
    /// ```swift
    /// if let detail = store.ifLet(\.detail) { DetailView(store: detail) }
    /// ```
    /// If the part goes missing later, the store keeps the last value for views that still show it, and follows the part when it is back.
    /// The call reads the state, so a view that makes it is updated when the state changes.
    ///
    /// - Parameter isSame: whether two parts count as equal, so that no view is notified of the second; `nil` uses `==` if the part has it.
    public func ifLet<Part, PartEvent>(
        _ part: @escaping (State) -> Part?, event: @escaping (PartEvent) -> Event, isSame: ((Part, Part) -> Bool)? = nil
    ) -> ViewStore<Part, PartEvent>? {
        // Reads the state, so that observation notifies the caller when the part comes or goes.
        _ = state
        return scope.scope(ifLet: part, event: event).map { ViewStore<Part, PartEvent>($0, isSame: isSame) }
    }

    /// A store of an optional part that sends this store's events.
    public func ifLet<Part>(_ part: @escaping (State) -> Part?, isSame: ((Part, Part) -> Bool)? = nil) -> ViewStore<Part, Event>? {
        ifLet(part, event: { $0 }, isSame: isSame)
    }

    /// A store of the payload of one case of an enum; `nil` in any other case.
    ///
    /// ```swift
    /// if let home = app.caseLet(EnumCase(App.signedIn), event: AppEvent.home) { HomeView(home: home) }
    /// ```
    /// - Parameter stateCase: the case. One that is given by its name alone may need reflection, which is slow: see `EnumCase`.
    public func caseLet<Part, PartEvent>(
        _ stateCase: EnumCase<State, Part>, event: @escaping (PartEvent) -> Event, isSame: ((Part, Part) -> Bool)? = nil
    ) -> ViewStore<Part, PartEvent>? { ifLet(stateCase.extract, event: event, isSame: isSame) }
}
