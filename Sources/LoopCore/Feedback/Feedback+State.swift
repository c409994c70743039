/// Flavours that follow the state and restart.
extension Feedback {
    /// Starts an effect at each state for which the condition holds. An effect still running is replaced by the next; a state
    /// for which the condition does not hold leaves it alone.
    public static func react(_ effect: @escaping (State) -> Effect<Event>, when condition: @escaping (State) -> Bool) -> Feedback {
        compacting(state: { condition($0) ? $0 : nil }, effect: effect)
    }

    /// `react` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func react(_ effect: @escaping Work<State>, when condition: @escaping (State) -> Bool) -> Feedback {
        react({ run($0, effect) }, when: condition)
    }

    /// Starts an effect at each state; the next state replaces it.
    public static func onEachState(_ effect: @escaping (State) -> Effect<Event>) -> Feedback {
        Feedback { { state, _ in .replace(with: effect(state)) } }
    }

    /// `onEachState` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func onEachState(_ effect: @escaping Work<State>) -> Feedback { onEachState { run($0, effect) } }

    /// Starts an effect at each state that gives a value; the next value replaces it, and `nil` leaves it alone.
    public static func compacting<Control>(
        state control: @escaping (State) -> Control?, effect: @escaping (Control) -> Effect<Event>
    ) -> Feedback {
        Feedback { { state, _ in control(state).map { .replace(with: effect($0)) } ?? .keep } }
    }

    /// `compacting` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func compacting<Control>(
        state control: @escaping (State) -> Control?, effect: @escaping Work<Control>
    ) -> Feedback {
        compacting(state: control, effect: { run($0, effect) })
    }

    /// Starts an effect when the state gives another value than the state before; that replaces the one before, and `nil`
    /// cancels it.
    public static func skippingRepeated<Control: Equatable>(
        state control: @escaping (State) -> Control?, effect: @escaping (Control) -> Effect<Event>
    ) -> Feedback {
        Feedback {
            var last: Control?
            return { state, _ in
                let value = control(state)
                if value == last { return .keep }
                last = value
                return .replace(with: value.map(effect) ?? .none)
            }
        }
    }

    /// `skippingRepeated` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func skippingRepeated<Control: Equatable>(
        state control: @escaping (State) -> Control?, effect: @escaping Work<Control>
    ) -> Feedback {
        skippingRepeated(state: control, effect: { run($0, effect) })
    }
}
