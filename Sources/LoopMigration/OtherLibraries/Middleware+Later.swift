public import LoopCore

/// Reducers whose state comes later: in a promise, a future, a task.
extension Middleware {
    /// A reducer that does what `reduce` does and lets the middleware see the event with its loading and its settled state.
    ///
    /// ```swift
    /// let reduce = middleware.wrapping(reduce, loading: { $0.loadingState }) { promise, settle in        // PromisedArchitectureKit
    ///     promise.done { settle(.success($0)) }.catch { settle(.failure($0)) }
    /// }
    /// ```
    /// A callback of such a library reports states only; this reports the events as well, which of them failed and how long their work
    /// took. The step comes when the work settles, which may be before the library shows the state to its views, and before the steps of
    /// events whose work began earlier. An event whose work never settles has no settled step.
    ///
    /// - Parameters:
    ///   - reduce: returns a handle on the state to come. It is called as before, once an event.
    ///   - loading: the state to show meanwhile; `nil` for none. The middleware sees it in a step of the phase `.loading`.
    ///   - clock: for middleware that asks for `MiddlewareNeeds.timing`: times the reducer itself and, apart from it, its work.
    ///   - whenSettled: calls its second argument with the result, once, from where the loop runs; a second call changes nothing.
    ///     After a failure the step's state is the one before the event and its outcome holds the error.
    public func wrapping<Later>(
        _ reduce: @escaping (State, Event) -> Later, loading: @escaping (Later) -> State?, initialState: State? = nil,
        clock: StepClock = .monotonic, name: String? = nil,
        whenSettled: @escaping (Later, @escaping (Result<State, any Error>) -> Void) -> Void
    ) -> (State, Event) -> Later {
        let loop = ForeignLoop(self, initialState: initialState, clock: clock, name: name)
        return { state, event in
            let taken = loop.take(event)
            let later = reduce(state, event)
            whenSettled(later, loop.began(taken, from: state, showing: loading(later)))
            return later
        }
    }
}
