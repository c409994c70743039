public import LoopCore

/// Reducers and dispatchers as Redux has them: the event comes first, and there may be no state yet.
///
/// ```swift
/// let wrapped = Store(reducer: middleware.wrapping(eventFirst: appReducer), state: nil)          // ReSwift
/// let chained = Store(reducer: appReducer, state: nil, middleware: [middleware.chained()])       // ReSwift, its middleware
/// ```
/// Where the library's event is a protocol, so is the middleware's: `Middleware<AppState, any Action>`. An event's type then names it.
extension Middleware {
    /// A reducer that does what `reduce` does and lets the middleware see each step, with the reducer's time if it asks for timing.
    ///
    /// Where there was no state before, the middleware sees an `.initial` step, without the event that the library made up for it.
    ///
    /// - Parameter initialState: makes an `.initial` step at once, for a library that is given its first state and calls no reducer for it.
    public func wrapping(
        eventFirst reduce: @escaping (Event, State?) -> State, initialState: State? = nil, clock: StepClock = .monotonic,
        name: String? = nil
    ) -> (Event, State?) -> State {
        let loop = ForeignLoop(self, initialState: initialState, clock: clock, name: name)
        return { event, previous in
            let taken = previous == nil ? nil : loop.take(event)
            let next = reduce(event, previous)
            if let taken { loop.saw(taken, previous: previous, state: next) } else { loop.began(with: next) }
            return next
        }
    }

    /// A link of a dispatcher's chain: it passes each event on and sees what became of the state.
    ///
    /// For stores whose reducer is out of reach; `wrapping(eventFirst:)` is more exact. Here a step's time includes the rest of the chain
    /// and the store's subscribers, and an event that a subscriber dispatches during another one has a higher number but the earlier step.
    /// An event that a later link swallows makes a step that leaves the state as it was; one that an earlier link swallows makes none.
    ///
    /// - Parameter initialState: makes an `.initial` step at once, for a store that is given its first state.
    /// - Returns: a function from the store's `dispatch` and its `getState` to a function from the next link to this one.
    public func chained(initialState: State? = nil, clock: StepClock = .monotonic, name: String? = nil) -> (
        _ dispatch: @escaping (Event) -> Void, _ getState: @escaping () -> State?
    ) -> (_ next: @escaping (Event) -> Void) -> (Event) -> Void {
        // Made once and not in the chain: a store that is given more links builds its chain anew, and the numbers go on.
        let loop = ForeignLoop(self, initialState: initialState, clock: clock, name: name)
        return { _, getState in
            { next in
                { event in
                    // Not retained: a second reference would make a store that reduces in place copy the state.
                    let hadState = getState() != nil
                    let previous = loop.needs.contains(.previousState) ? getState() : nil
                    let taken = hadState ? loop.take(event) : nil
                    next(event)
                    // A store that is gone by now has no state to report.
                    guard let state = getState() else { return }
                    if let taken { loop.saw(taken, previous: previous, state: state) } else { loop.began(with: state) }
                }
            }
        }
    }
}
