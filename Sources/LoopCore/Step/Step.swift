/// Where in the life of an event a step stands.
public enum StepPhase: Sendable, Equatable {
    /// The state at the moment of attaching; no event belongs to it.
    case initial
    /// The state while the event's work runs.
    case loading
    /// The state that the event led to.
    case settled
    /// An effect failed. No event belongs to this step, the state is unchanged, and the number is that of the last event.
    case effectFailed
}

/// One step of the loop, as middleware sees it: the event, the state it led to, the times, and where the event was sent.
///
/// An event that is reduced at once makes one step. An event whose ``Next`` works asynchronously makes a `.loading` step if
/// it has a loading state, and a `.settled` step later, both under the same number. Attaching makes an `.initial` step.
public struct Step<State, Event> {
    /// The event's number in the order in which the system took events: 1, 2, 3 … An `.initial` step has that of the last one before, or 0.
    public var number: Int
    /// `nil` for an `.initial` and an `.effectFailed` step, and if another library's callback does not report it.
    ///
    /// Spelled `Optional`, as in ``previousState``: with `?` the property would first be set to `nil`, which takes more stack.
    public var event: Optional<Event>
    public var phase: StepPhase
    /// `true` during a replay. Trackers and measurements ignore such a step; logs show it.
    public var isReplay: Bool
    public var state: State
    /// The state before this step; only there if a middleware asked for ``MiddlewareNeeds/previousState``, never for `.initial`.
    public var previousState: Optional<State>
    /// Only there if a middleware asked for ``MiddlewareNeeds/timing`` when the event was taken, never for `.initial`.
    public var timing: StepTiming?
    /// Where in the source the event was sent; `nil` for one that was given to an effect, such as ``Effect/event(_:)``.
    public var origin: SendOrigin?
    /// How the event ended; `nil` while loading: not known yet.
    public var outcome: Outcome?

    @inlinable
    package init(
        number: Int, event: Event?, phase: StepPhase, state: State, previousState: State? = nil, timing: StepTiming? = nil,
        origin: SendOrigin? = nil, outcome: Outcome? = .finished, isReplay: Bool = false
    ) {
        self.number = number
        self.event = event
        self.phase = phase
        self.state = state
        self.previousState = previousState
        self.timing = timing
        self.origin = origin
        self.outcome = outcome
        self.isReplay = isReplay
    }
}

extension Step: Sendable where State: Sendable, Event: Sendable {}
