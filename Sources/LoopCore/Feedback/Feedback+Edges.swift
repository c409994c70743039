/// Flavours that follow the state and act where something begins.
extension Feedback {
    /// Starts an effect when the state first gives a value after giving none, and cancels it when it gives none again. Other
    /// values in between change nothing.
    public static func firstValueAfterNil<Value>(
        _ value: @escaping (State) -> Value?, effect: @escaping (Value) -> Effect<Event>
    ) -> Feedback {
        Feedback {
            var wasNil = true
            return { state, _ in
                switch (wasNil, value(state)) {
                case (true, let value?):
                    wasNil = false
                    return .replace(with: effect(value))
                case (false, nil):
                    wasNil = true
                    return .replace(with: .none)
                default: return .keep
                }
            }
        }
    }

    /// `firstValueAfterNil` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func firstValueAfterNil<Value>(
        _ value: @escaping (State) -> Value?, effect: @escaping Work<Value>
    ) -> Feedback {
        firstValueAfterNil(value, effect: { run($0, effect) })
    }

    /// Starts an effect when the condition begins to hold, and cancels it when it ends.
    ///
    /// The effect is not restarted while the condition goes on to hold; `react(_:when:)` does that.
    public static func predicate(_ condition: @escaping (State) -> Bool, effect: @escaping (State) -> Effect<Event>) -> Feedback {
        firstValueAfterNil({ condition($0) ? $0 : nil }, effect: effect)
    }

    /// `predicate` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func predicate(_ condition: @escaping (State) -> Bool, effect: @escaping Work<State>) -> Feedback {
        predicate(condition, effect: { run($0, effect) })
    }
}
