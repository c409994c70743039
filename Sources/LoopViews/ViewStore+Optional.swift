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
        guard let first = part(state) else { return nil }
        let last = LastValue(first)
        return scope(state: { last.take(part($0)) }, event: event, isSame: isSame)
    }

    /// The same for a part that sends the same events.
    public func ifLet<Part>(
        _ part: @escaping (State) -> Part?, isSame: @escaping (Part, Part) -> Bool = { _, _ in false }
    ) -> ViewStore<Part, Event>? {
        ifLet(part, event: { $0 }, isSame: isSame)
    }
}

/// The newest value of something that comes and goes.
private final class LastValue<Value> {
    private var value: Value

    init(_ value: Value) { self.value = value }

    func take(_ newer: Value?) -> Value {
        if let newer { value = newer }
        return value
    }
}
