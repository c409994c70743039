/// The flavours of ``Feedback``, with effects that are given the dependency as their last argument.
extension DependentFeedback {
    /// An asynchronous effect of one event, or none.
    public typealias Work<Control> = nonisolated(nonsending) (Control, Dependency) async throws -> Event?

    private static func run<Control>(
        _ control: Control, _ dependency: Dependency, _ work: @escaping Work<Control>
    ) -> Effect<Event> {
        .run { try await work(control, dependency) }
    }

    /// `Feedback.react(_:when:)`.
    public static func react(
        _ effect: @escaping (State, Dependency) -> Effect<Event>, when condition: @escaping (State) -> Bool
    ) -> DependentFeedback {
        DependentFeedback { dependency in .react({ effect($0, dependency) }, when: condition) }
    }

    /// `Feedback.react(_:when:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func react(
        _ effect: @escaping Work<State>, when condition: @escaping (State) -> Bool
    ) -> DependentFeedback {
        let start: (State, Dependency) -> Effect<Event> = { run($0, $1, effect) }
        return react(start, when: condition)
    }

    /// `Feedback.onEachState(_:)`.
    public static func onEachState(
        _ effect: @escaping (State, Dependency) -> Effect<Event>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .onEachState { effect($0, dependency) } }
    }

    /// `Feedback.onEachState(_:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func onEachState(
        _ effect: @escaping Work<State>
    ) -> DependentFeedback {
        let start: (State, Dependency) -> Effect<Event> = { run($0, $1, effect) }
        return onEachState(start)
    }

    /// `Feedback.compacting(state:effect:)`.
    public static func compacting<Control>(
        state control: @escaping (State) -> Control?, effect: @escaping (Control, Dependency) -> Effect<Event>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .compacting(state: control) { effect($0, dependency) } }
    }

    /// `Feedback.compacting(state:effect:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func compacting<Control>(
        state control: @escaping (State) -> Control?, effect: @escaping Work<Control>
    ) -> DependentFeedback {
        let start: (Control, Dependency) -> Effect<Event> = { run($0, $1, effect) }
        return compacting(state: control, effect: start)
    }

    /// `Feedback.compacting(events:effect:)`.
    public static func compacting<Control>(
        events control: @escaping (Event) -> Control?, effect: @escaping (Control, Dependency) -> Effect<Event>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .compacting(events: control) { effect($0, dependency) } }
    }

    /// `Feedback.compacting(events:effect:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func compacting<Control>(
        events control: @escaping (Event) -> Control?, effect: @escaping Work<Control>
    ) -> DependentFeedback {
        let start: (Control, Dependency) -> Effect<Event> = { run($0, $1, effect) }
        return compacting(events: control, effect: start)
    }

    /// `Feedback.skippingRepeated(state:effect:)`.
    public static func skippingRepeated<Control: Equatable>(
        state control: @escaping (State) -> Control?, effect: @escaping (Control, Dependency) -> Effect<Event>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .skippingRepeated(state: control) { effect($0, dependency) } }
    }

    /// `Feedback.skippingRepeated(state:effect:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func skippingRepeated<Control: Equatable>(
        state control: @escaping (State) -> Control?, effect: @escaping Work<Control>
    ) -> DependentFeedback {
        let start: (Control, Dependency) -> Effect<Event> = { run($0, $1, effect) }
        return skippingRepeated(state: control, effect: start)
    }

    /// `Feedback.firstValueAfterNil(_:effect:)`.
    public static func firstValueAfterNil<Value>(
        _ value: @escaping (State) -> Value?, effect: @escaping (Value, Dependency) -> Effect<Event>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .firstValueAfterNil(value) { effect($0, dependency) } }
    }

    /// `Feedback.firstValueAfterNil(_:effect:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func firstValueAfterNil<Value>(
        _ value: @escaping (State) -> Value?, effect: @escaping Work<Value>
    ) -> DependentFeedback {
        let start: (Value, Dependency) -> Effect<Event> = { run($0, $1, effect) }
        return firstValueAfterNil(value, effect: start)
    }

    /// `Feedback.predicate(_:effect:)`.
    public static func predicate(
        _ condition: @escaping (State) -> Bool, effect: @escaping (State, Dependency) -> Effect<Event>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .predicate(condition) { effect($0, dependency) } }
    }

    /// `Feedback.predicate(_:effect:)` with an effect that is one asynchronous function.
    @_disfavoredOverload
    public static func predicate(
        _ condition: @escaping (State) -> Bool, effect: @escaping Work<State>
    ) -> DependentFeedback {
        let start: (State, Dependency) -> Effect<Event> = { run($0, $1, effect) }
        return predicate(condition, effect: start)
    }

    /// `Feedback.onEachEvent(cancelsPrevious:_:)`.
    public static func onEachEvent(
        cancelsPrevious: Bool = false, _ effect: @escaping (State, Event, Dependency) -> Effect<Event>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .onEachEvent(cancelsPrevious: cancelsPrevious) { effect($0, $1, dependency) } }
    }
}
