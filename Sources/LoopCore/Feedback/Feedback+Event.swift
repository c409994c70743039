/// Flavours that follow the events.
extension Feedback {
    /// Starts an effect at each event that gives a value; the next such event replaces it, and other events leave it alone.
    public static func compacting<Control>(
        events control: @escaping (Event) -> Control?, effect: @escaping (Control) -> Effect<Event>
    ) -> Feedback {
        Feedback { { _, event in event.flatMap(control).map { .replace(with: effect($0)) } ?? .keep } }
    }

    /// The same for an asynchronous function.
    @_disfavoredOverload
    public static func compacting<Control>(
        events control: @escaping (Event) -> Control?, effect: @escaping Work<Control>
    ) -> Feedback {
        compacting(events: control, effect: { run($0, effect) })
    }

    /// Starts an effect at each event that carries a payload; the next such event replaces it, and other events leave it alone.
    /// (CombineFeedback cancels it at any other event.)
    public static func lensing<Payload>(
        event payload: @escaping (Event) -> Payload?, effect: @escaping (Payload) -> Effect<Event>
    ) -> Feedback {
        compacting(events: payload, effect: effect)
    }

    /// The same for an asynchronous function.
    @_disfavoredOverload
    public static func lensing<Payload>(event payload: @escaping (Event) -> Payload?, effect: @escaping Work<Payload>) -> Feedback {
        compacting(events: payload, effect: effect)
    }

    /// Starts an effect at each event, with the state it led to. Effects run side by side; they are cancelled with the system or
    /// the scope. (CombineFeedback cancels the one before at each event.)
    ///
    /// - Parameters:
    ///   - cancelsPrevious: each event's effect replaces the one before.
    ///   - effect: what to do about an event.
    public static func middleware(
        cancelsPrevious: Bool = false, _ effect: @escaping (State, Event) -> Effect<Event>
    ) -> Feedback {
        Feedback {
            { state, event in
                guard let event else { return .keep }
                return cancelsPrevious ? .replace(with: effect(state, event)) : .add(effect(state, event))
            }
        }
    }

    /// The same for an asynchronous function.
    @_disfavoredOverload
    public static func middleware(
        cancelsPrevious: Bool = false, _ effect: @escaping (State, Event) async throws -> Event?
    ) -> Feedback {
        middleware(cancelsPrevious: cancelsPrevious) { state, event in .run { try await effect(state, event) } }
    }

    /// Starts an effect at each event, whatever the state.
    public static func middleware(
        event effect: @escaping (Event) -> Effect<Event>, cancelsPrevious: Bool = false
    ) -> Feedback {
        middleware(cancelsPrevious: cancelsPrevious) { _, event in effect(event) }
    }

    /// The same for an asynchronous function.
    @_disfavoredOverload
    public static func middleware(event effect: @escaping Work<Event>, cancelsPrevious: Bool = false) -> Feedback {
        middleware(event: { run($0, effect) }, cancelsPrevious: cancelsPrevious)
    }
}
