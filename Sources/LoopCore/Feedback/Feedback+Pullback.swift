/// From a part of the state to the whole.
extension Feedback {
    /// The feedback of a part, for the system of the whole.
    ///
    /// While `state` gives `nil` the part is not there: leaving cancels its effects, and entering again is a new beginning.
    ///
    /// - Parameters:
    ///   - state: the part.
    ///   - event: between the part's events and the whole's.
    public func pullback<Whole, WholeEvent>(
        state: @escaping (Whole) -> State?, event: EnumCase<WholeEvent, Event>
    ) -> Feedback<Whole, WholeEvent> {
        Feedback<Whole, WholeEvent>(
            parts: parts.map { part in
                .init(name: part.name) {
                    var decide: Decide?
                    return { whole, wholeEvent in
                        guard let local = state(whole) else {
                            defer { decide = nil }
                            return decide == nil ? .keep : .cancel
                        }
                        let current = decide ?? part.make()
                        decide = current
                        return current(local, wholeEvent.flatMap(event.extract)).pulledBack(event.embed)
                    }
                }
            })
    }

    /// The same for a property of the whole.
    public func pullback<Whole, WholeEvent>(
        state: KeyPath<Whole, State>, event: EnumCase<WholeEvent, Event>
    ) -> Feedback<Whole, WholeEvent> {
        pullback(state: { $0[keyPath: state] }, event: event)
    }

    /// The same for an optional property of the whole.
    public func pullback<Whole, WholeEvent>(
        state: KeyPath<Whole, State?>, event: EnumCase<WholeEvent, Event>
    ) -> Feedback<Whole, WholeEvent> {
        pullback(state: { $0[keyPath: state] }, event: event)
    }

    /// The same for a whole that is an enum with the part as one of its cases.
    public func pullback<Whole, WholeEvent>(
        state: EnumCase<Whole, State>, event: EnumCase<WholeEvent, Event>
    ) -> Feedback<Whole, WholeEvent> {
        pullback(state: state.extract, event: event)
    }

    /// The same feedback for a state that may be missing: leaving cancels its effects.
    public func optional() -> Feedback<State?, Event> { pullback(state: { $0 }, event: .whole) }
}

extension Feedback.Decision {
    func pulledBack<Whole, WholeEvent>(
        _ embed: @escaping (Event) -> WholeEvent
    ) -> Feedback<Whole, WholeEvent>.Decision {
        switch self {
        case .keep: .keep
        case .cancel: .cancel
        case .replace(let effect): .replace(with: effect.map(embed))
        case .add(let effect): .add(effect.map(embed))
        }
    }
}
