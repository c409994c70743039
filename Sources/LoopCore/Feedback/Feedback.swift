/// Observes the states and events of a system and starts effects, whose events go back into it.
///
/// ```swift
/// let search = Feedback<Search.State, Search.Event>.onChange(of: \.query) { query in
///     .run { .found(try await shop.search(query)) }
/// }
/// let system = System(initialState: Search.State(), feedbacks: [search], reducer: Search.reduce)
/// ```
/// | feedback | an effect starts | it ends |
/// |---|---|---|
/// | ``onChange(of:_:)`` | when the value changes | at the next change, and at `nil` |
/// | ``while(_:_:)``, ``while(let:_:)`` | when the condition begins to hold or the value appears | when that ends |
/// | ``on(_:_:)-((Payload)->Event,_)`` | at each event of the case | at the next such event |
/// | ``onEachEvent(_:)`` | at each event | never |
/// | ``onEachState(_:)`` | at each state | at the next state |
/// | ``always(_:)``, ``custom(_:)`` | once, at the first state | with the system |
///
/// An effect with a name follows the rule of its name besides: ``Effect/id(_:_:)``.
///
/// **Edges** count from the initial state: a condition that holds there begins to hold there.
///
/// **Order.** Feedbacks see a state after the middleware, and start and deliver in the order in which the system was given them. What an
/// effect sends at once is queued within the step and reduced after it; asynchronous work is first called after the step.
///
/// **Cancellation.** An effect that is replaced loses its events that wait in the queue, even if it had ended. The new one's first events
/// take their places. An effect that ended and was not replaced keeps its events. Late results of a cancelled effect are dropped.
/// Leaving a part (an optional that becomes `nil`, another enum case) cancels effects and removes their events, too.
///
/// **Which states.** Each state that the system sets, loading states included. Feedbacks that follow events see an event when
/// it has been reduced; one whose work failed or was cancelled has led to nothing, and they do not see it.
public struct Feedback<State, Event> {
    /// What a feedback does about a new state.
    public enum Decision {
        /// Leaves everything as it is.
        case keep
        /// Cancels all its effects and removes their events that wait, also those of ended effects.
        case cancel
        /// Starts an effect in place of the last `replace`'s. Ends the feedback's named effects too, except under names that begin again.
        case replace(with: Effect<Event>)
        /// Starts an effect beside those that run.
        case add(Effect<Event>)
    }

    @usableFromInline typealias Decide = (State, Event?) -> Decision

    @usableFromInline
    struct Part {
        @usableFromInline var name: String?
        @usableFromInline let make: () -> Decide

        @usableFromInline
        init(name: String? = nil, make: @escaping () -> Decide) { (self.name, self.make) = (name, make) }
    }

    /// Combined feedbacks keep their own memory and effects.
    @usableFromInline let parts: [Part]

    init(parts: [Part]) { self.parts = parts }

    /// A feedback by rules of one's own. All others are made of this one.
    ///
    /// - Parameter makingDecide: called once for each system, or at each entry into its part: what the decision remembers is of that alone.
    ///   It sees each state with the event that led to it. The event is `nil` for the initial state, a loading state, and the state after
    ///   an event that failed or was cancelled; in a part, also after an event that is not the part's.
    @inlinable
    public init(makingDecide: @escaping () -> (State, Event?) -> Decision) { parts = [Part(make: makingDecide)] }

    /// This feedback with a name, under which traces show its effects. Feedbacks that are combined in it keep names of their own. Without a
    /// name a feedback is known as `feedback 1`, `feedback 2` … by its rank among the system's.
    public func named(_ name: String) -> Feedback { Feedback(parts: parts.map { Part(name: $0.name ?? name, make: $0.make) }) }

    /// Several feedbacks as one, in their order.
    public static func combine(_ feedbacks: Feedback...) -> Feedback { combine(feedbacks) }

    package static func combine(_ feedbacks: [Feedback]) -> Feedback { Feedback(parts: feedbacks.flatMap(\.parts)) }
}
