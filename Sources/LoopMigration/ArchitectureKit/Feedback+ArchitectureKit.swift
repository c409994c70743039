public import LoopCore

extension Feedback {
    /// Starts an effect at each state for which the condition holds, which replaces one that still runs. Other states leave that alone.
    public static func react(_ effect: @escaping (State) -> Effect<Event>, when condition: @escaping (State) -> Bool) -> Feedback {
        compacting(state: { condition($0) ? $0 : nil }, effect: effect)
    }

    /// `react` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func react(_ effect: @escaping Work<State>, when condition: @escaping (State) -> Bool) -> Feedback {
        react(running(effect), when: condition)
    }
}
