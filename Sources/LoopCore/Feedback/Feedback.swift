/// Observes the states and events of a system and starts effects, whose events go back into the system.
///
/// ```swift
/// let search = Feedback<Search.State, Search.Event>.onChange(of: \.query) { query in
///     .run { .found(try await shop.search(query)) }
/// }
/// let system = System(initialState: Search.State(), feedbacks: [search], reducer: Search.reduce)
/// ```
/// <doc:Feedbacks> has a table of what starts the effects of each feedback, and what ends them. A name may, too: ``Effect/id(_:_:)``.
///
/// **Edges.** A condition that holds at the initial state begins to hold there.
///
/// **Order.** Feedbacks see a state after the middleware has. They start effects in the order in which the system was given the feedbacks.
/// Events that an effect sends at once are queued within the step and reduced after it; asynchronous work is first called after the step.
///
/// **Cancellation.** An effect that is replaced loses its events that wait in the queue, even if it had ended. The new one's first events
/// take their places. An effect that ended and was not replaced keeps its events. Late results of a cancelled effect are dropped. When a
/// part goes missing (an optional becomes `nil`, an enum changes its case), its effects are cancelled and their events removed, too.
///
/// **Which states.** Each state that the system sets, loading states included. Feedbacks that follow events see an event when it has been
/// reduced. They do not see an event whose work failed or was cancelled: it has led to nothing.
public struct Feedback<State, Event> {
    /// What a feedback does about a new state.
    public enum Decision {
        /// Leaves everything as it is.
        case keep
        /// Cancels all its effects and removes their events that wait, also those of ended effects.
        case cancel
        /// Starts an effect in place of the last `replace`'s. The feedback's named effects end, too, except those whose names begin again.
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

    /// One for each feedback that is combined here: each keeps its own memory and effects.
    @usableFromInline let parts: [Part]

    init(parts: [Part]) { self.parts = parts }

    /// A feedback with a decision of your own. All other feedbacks are made of this one.
    ///
    /// - Parameter makingDecide: called once for each system, or each time the feedback's part appears, so that each decision has a memory
    ///   of its own. The decision sees each state with the event that led to it. The event is `nil` for the initial state, a
    ///   loading state, and the state after an event that failed or was cancelled; in a part, also after an event that is not the part's.
    @inlinable
    public init(makingDecide: @escaping () -> (State, Event?) -> Decision) { parts = [Part(make: makingDecide)] }

    /// This feedback with a name, under which traces show its effects. Feedbacks that are combined in it keep names of their own. A
    /// feedback without a name is called `feedback 1`, `feedback 2` … by its number among the system's feedbacks.
    public func named(_ name: String) -> Feedback { Feedback(parts: parts.map { Part(name: $0.name ?? name, make: $0.make) }) }

    /// Several feedbacks as one, in their order.
    public static func combine(_ feedbacks: Feedback...) -> Feedback { combine(feedbacks) }

    package static func combine(_ feedbacks: [Feedback]) -> Feedback { Feedback(parts: feedbacks.flatMap(\.parts)) }
}
