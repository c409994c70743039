public import LoopCore

/// A feedback that needs a dependency, such as a network client. In new code, write a function that makes a feedback.
///
/// ```swift
/// let search = DependentFeedback<State, Event, Services> { services in
///     .skippingRepeated(state: \.query) { query in .found(try await services.search(query)) }
/// }
/// let system = System(initialState: State(), dependency: Services.live, feedbacks: [search], reducer: Reducer(reduce))
/// ```
public struct DependentFeedback<State, Event, Dependency> {
    let make: (Dependency) -> Feedback<State, Event>

    /// - Parameter make: called once for each system.
    public init(_ make: @escaping (Dependency) -> Feedback<State, Event>) { self.make = make }

    /// ArchitectureKit's `react`, whose effect runs in the system's context.
    public static func react(_ effect: @escaping (State) -> AsyncResult<Dependency, Event>, when holds: @escaping (State) -> Bool) -> Self {
        Self { context in .react({ try await effect($0).run(in: context) }, when: holds) }
    }

    /// Several feedbacks as one, in their order.
    public static func combine(_ feedbacks: DependentFeedback...) -> DependentFeedback {
        DependentFeedback { dependency in .combine(feedbacks.map { $0.make(dependency) }) }
    }

    /// The feedback of a part, for the system of the whole: `Feedback.pullback(state:event:)`, with a part of the whole's dependency.
    public func pullback<Whole, WholeEvent, WholeDependency>(
        state: @escaping (Whole) -> State?, event: EnumCase<WholeEvent, Event>, dependency: @escaping (WholeDependency) -> Dependency
    ) -> DependentFeedback<Whole, WholeEvent, WholeDependency> {
        DependentFeedback<Whole, WholeEvent, WholeDependency> { make(dependency($0)).pullback(state: state, event: event) }
    }

    /// The feedback of one case of a whole that is an enum: `Feedback.pullback(state:event:)`.
    public func pullback<Whole, WholeEvent, WholeDependency>(
        state: EnumCase<Whole, State>, event: EnumCase<WholeEvent, Event>, dependency: @escaping (WholeDependency) -> Dependency
    ) -> DependentFeedback<Whole, WholeEvent, WholeDependency> { pullback(state: state.extract, event: event, dependency: dependency) }
}
