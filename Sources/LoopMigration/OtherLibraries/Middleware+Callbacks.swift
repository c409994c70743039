public import LoopCore

/// One line for another library's system: a middleware turned into the callback that the library wants.
///
/// ```swift
/// oldSystem.addLoopCallback(middleware.loopCallback(initialState: .start))       // PromisedArchitectureKit
/// store.subscribe(middleware.stateCallback(initialState: store.state))           // a plain (State) -> Void
/// let reduce = middleware.wrapping(reduce)                                       // whatever takes a reducer
/// ```
/// Other kinds of reducers have functions of their own: events first (`wrapping(eventFirst:)`), effects returned
/// (`wrapping(returningEffects:)`), states that come later.
///
/// Each call makes a callback of its own, with its own numbering from 1. A callback belongs to one loop: call it where that loop runs, one
/// call at a time, as the library calls its own callbacks.
///
/// In all of them, `initialState` makes an `.initial` step at once; leave it out where the library reports its first state itself. `clock`
/// (where there is one) is for middleware that asks for `MiddlewareNeeds.timing`. `name` is the loop's name, as a `System` has one.
extension Middleware {
    /// For libraries whose callback is given the state and nothing else.
    ///
    /// - Parameter firstIsInitial: whether the library replays the current state to new subscribers: `true` makes the first state an
    ///   `.initial` step, unless there was an `initialState`; `false` makes every state a step of the loop.
    public func stateCallback(initialState: State? = nil, firstIsInitial: Bool = false, name: String? = nil) -> (State) -> Void {
        let loop = ForeignLoop(self, initialState: initialState, clock: nil, name: name)
        var isFirst = firstIsInitial && initialState == nil
        return { state in
            if isFirst { loop.began(with: state) } else { loop.saw(nil, state: state) }
            isFirst = false
        }
    }

    /// For libraries whose callback is given the state and the states before it, such as PromisedArchitectureKit.
    public func loopCallback(initialState: State? = nil, name: String? = nil) -> (State, [State]) -> Void {
        let callback = stateCallback(initialState: initialState, name: name)
        return { state, _ in callback(state) }
    }

    /// For observers that are given an event, the state before it and the state after it.
    public func observer(initialState: State? = nil, name: String? = nil) -> (Event, State, State) -> Void {
        let loop = ForeignLoop(self, initialState: initialState, clock: nil, name: name)
        return { event, before, after in loop.saw(loop.take(event), previous: before, state: after) }
    }

    /// A reducer that does what `reduce` does and lets the middleware see each step, with the reducer's time if it asks for timing.
    public func wrapping(
        _ reduce: @escaping (State, Event) -> State, initialState: State? = nil, clock: StepClock = .monotonic, name: String? = nil
    ) -> (State, Event) -> State { wrapping(reduce, state: { $0 }, initialState: initialState, clock: clock, name: name) }

    /// A reducer that changes the state as `reduce` does and lets the middleware see each step. A need of the previous state copies it.
    public func wrapping(
        _ reduce: @escaping (inout State, Event) -> Void, initialState: State? = nil, clock: StepClock = .monotonic, name: String? = nil
    ) -> (inout State, Event) -> Void { wrapping(returningEffects: reduce, initialState: initialState, clock: clock, name: name) }
}
