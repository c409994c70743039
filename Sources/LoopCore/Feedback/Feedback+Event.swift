/// Flavours that follow the events.
extension Feedback {
    /// Starts an effect at each event that gives a value; the next such event replaces it, and other events leave it alone.
    public static func compacting<Control>(
        events control: @escaping (Event) -> Control?, effect: @escaping (Control) -> Effect<Event>
    ) -> Feedback {
        Feedback { { _, event in event.flatMap(control).map { .replace(with: effect($0)) } ?? .keep } }
    }

    /// `compacting` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func compacting<Control>(
        events control: @escaping (Event) -> Control?, effect: @escaping Work<Control>
    ) -> Feedback {
        compacting(events: control, effect: { run($0, effect) })
    }

    /// Starts an effect at each event, with the state it led to. Effects run side by side; they are cancelled with the system or
    /// the scope.
    ///
    /// - Parameters:
    ///   - cancelsPrevious: each event's effect replaces the one before.
    ///   - effect: what to do about an event.
    public static func onEachEvent(cancelsPrevious: Bool = false, _ effect: @escaping (State, Event) -> Effect<Event>) -> Feedback {
        Feedback {
            { state, event in
                guard let event else { return .keep }
                return cancelsPrevious ? .replace(with: effect(state, event)) : .add(effect(state, event))
            }
        }
    }

    /// `onEachEvent` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func onEachEvent(
        cancelsPrevious: Bool = false, _ effect: @escaping (State, Event) async throws -> Event?
    ) -> Feedback {
        onEachEvent(cancelsPrevious: cancelsPrevious) { state, event in .run { try await effect(state, event) } }
    }
}
