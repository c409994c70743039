/// The flavours of ``Feedback`` with one asynchronous function, which is given the dependency as its last argument.
///
/// For any other ``Effect`` there is the initializer: `DependentFeedback { api in .onEachState { _ in .stream(api.changes) } }`.
extension DependentFeedback {
    /// An asynchronous effect of one event, or none.
    public typealias Work<Control> = nonisolated(nonsending) (Control, Dependency) async throws -> Event?

    private static func run<Control>(_ dependency: Dependency, _ work: @escaping Work<Control>) -> (Control) -> Effect<Event> {
        { control in .run { try await work(control, dependency) } }
    }

    /// Starts the work at each state for which the condition holds; the next start cancels it.
    public static func react(_ effect: @escaping Work<State>, when condition: @escaping (State) -> Bool) -> DependentFeedback {
        DependentFeedback { dependency in .react(run(dependency, effect), when: condition) }
    }

    /// Starts the work at each state; the next state cancels it.
    public static func onEachState(_ effect: @escaping Work<State>) -> DependentFeedback {
        DependentFeedback { dependency in .onEachState(run(dependency, effect)) }
    }

    /// Starts the work at each state that gives a value; the next value cancels it, and `nil` leaves it.
    public static func compacting<Control>(
        state control: @escaping (State) -> Control?, effect: @escaping Work<Control>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .compacting(state: control, effect: run(dependency, effect)) }
    }

    /// Starts the work at each event that gives a value; the next such event cancels it.
    public static func compacting<Control>(
        events control: @escaping (Event) -> Control?, effect: @escaping Work<Control>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .compacting(events: control, effect: run(dependency, effect)) }
    }

    /// Starts the work when the value changes; another value or `nil` cancels it.
    public static func skippingRepeated<Control: Equatable>(
        state control: @escaping (State) -> Control?, effect: @escaping Work<Control>
    ) -> DependentFeedback {
        DependentFeedback { dependency in .skippingRepeated(state: control, effect: run(dependency, effect)) }
    }

    /// Starts the work when a value appears; its absence cancels the work.
    public static func firstValueAfterNil<Value>(_ value: @escaping (State) -> Value?, effect: @escaping Work<Value>) -> DependentFeedback {
        DependentFeedback { dependency in .firstValueAfterNil(value, effect: run(dependency, effect)) }
    }

    /// Starts the work when a condition begins to hold; its end cancels the work.
    public static func predicate(_ condition: @escaping (State) -> Bool, effect: @escaping Work<State>) -> DependentFeedback {
        DependentFeedback { dependency in .predicate(condition, effect: run(dependency, effect)) }
    }

    /// Starts the work at each event, beside the work of earlier events unless `cancelsPrevious` is set.
    public static func onEachEvent(
        cancelsPrevious: Bool = false, _ effect: @escaping (State, Event, Dependency) async throws -> Event?
    ) -> DependentFeedback {
        DependentFeedback { dependency in
            .onEachEvent(cancelsPrevious: cancelsPrevious) { state, event in .run { try await effect(state, event, dependency) } }
        }
    }
}
