public import LoopCore

/// The flavours of CombineFeedback and Loop under their own names.
extension Feedback {
    /// Starts an effect at each state that gives a value; the next value replaces it, and `nil` cancels it.
    public static func lensing<Control>(
        state control: @escaping (State) -> Control?, effect: @escaping (Control) -> Effect<Event>
    ) -> Feedback {
        Feedback { { state, _ in .replace(with: control(state).map(effect) ?? .none) } }
    }

    /// The flavour above with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func lensing<Control>(
        state control: @escaping (State) -> Control?, effect: @escaping Work<Control>
    ) -> Feedback {
        lensing(state: control, effect: { value in .run { try await effect(value) } })
    }

    /// Starts an effect at each event that carries a payload; the next such event replaces it, and other events leave it alone.
    /// (CombineFeedback cancels it at any other event.)
    public static func lensing<Payload>(
        event payload: @escaping (Event) -> Payload?, effect: @escaping (Payload) -> Effect<Event>
    ) -> Feedback {
        compacting(events: payload, effect: effect)
    }

    /// The flavour above with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func lensing<Payload>(event payload: @escaping (Event) -> Payload?, effect: @escaping Work<Payload>) -> Feedback {
        compacting(events: payload, effect: effect)
    }

    /// Starts an effect when the condition begins to hold, and cancels it when it ends: `predicate(_:effect:)` by the name
    /// that Loop gives it.
    public static func whenBecomesTrue(_ condition: @escaping (State) -> Bool, effect: @escaping (State) -> Effect<Event>) -> Feedback {
        predicate(condition, effect: effect)
    }

    /// The flavour above with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func whenBecomesTrue(_ condition: @escaping (State) -> Bool, effect: @escaping Work<State>) -> Feedback {
        predicate(condition, effect: effect)
    }

    /// `onEachState(_:)`: starts an effect at each state; the next state replaces it.
    public static func middleware(state effect: @escaping (State) -> Effect<Event>) -> Feedback { onEachState(effect) }

    /// `onEachState(_:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func middleware(state effect: @escaping Work<State>) -> Feedback { onEachState(effect) }

    /// `onEachEvent(cancelsPrevious:_:)`: starts an effect at each event, with the state it led to.
    ///
    /// CombineFeedback cancels the effect before at each event; here only `cancelsPrevious` does.
    public static func middleware(cancelsPrevious: Bool = false, _ effect: @escaping (State, Event) -> Effect<Event>) -> Feedback {
        onEachEvent(cancelsPrevious: cancelsPrevious, effect)
    }

    /// `onEachEvent(cancelsPrevious:_:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func middleware(
        cancelsPrevious: Bool = false, _ effect: @escaping (State, Event) async throws -> Event?
    ) -> Feedback {
        onEachEvent(cancelsPrevious: cancelsPrevious, effect)
    }

    /// `onEachEvent(cancelsPrevious:_:)` with an effect that does not look at the state.
    public static func middleware(event effect: @escaping (Event) -> Effect<Event>, cancelsPrevious: Bool = false) -> Feedback {
        onEachEvent(cancelsPrevious: cancelsPrevious) { _, event in effect(event) }
    }

    /// `middleware(event:cancelsPrevious:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func middleware(event effect: @escaping Work<Event>, cancelsPrevious: Bool = false) -> Feedback {
        onEachEvent(cancelsPrevious: cancelsPrevious) { _, event in .run { try await effect(event) } }
    }

    /// `makeInput()` under CombineFeedback's name: each read makes a new pair.
    public static var input: (feedback: Feedback, send: (Event) -> Void) { makeInput() }
}
