/// Reducers that return more than a state: effects to run, or a value that holds both.
///
/// ```swift
/// let update = middleware.wrapping(update, state: \.model, initialState: .start)                              // Mobius
/// let reducer = middleware.wrapping(returningEffects: Feature().reduce(into:action:), initialState: .start)   // Composable Architecture
/// ```
/// What the effects send comes back through the reducer, so the middleware sees it as it sees any event.
extension Middleware {
    /// An update function that does what `update` does and lets the middleware see each step; it can time the function, too.
    ///
    /// - Parameters:
    ///   - update: returns a value that holds the new state, such as Mobius' `Next`.
    ///   - newState: finds the state in it; `nil` says that the state stays as it was. Such an event makes a step as well.
    public func wrapping<Update>(
        _ update: @escaping (State, Event) -> Update, state newState: @escaping (Update) -> State?, initialState: State? = nil,
        clock: StepClock = .monotonic, name: String? = nil
    ) -> (State, Event) -> Update {
        let loop = ForeignLoop(self, initialState: initialState, clock: clock, name: name)
        return { state, event in
            let startedAt = loop.now
            let next = update(state, event)
            loop.saw(event, previous: state, state: newState(next) ?? state, startedAt: startedAt)
            return next
        }
    }

    /// A reducer that changes the state in place and returns effects as `reduce` does, and lets the middleware see each step. A middleware
    /// that needs no previous state causes no copy of it.
    ///
    /// Wrap the reducer once, where the store is made. One that is wrapped inside a property which the library reads at every
    /// event would begin at number 1 each time.
    public func wrapping<Effects>(
        returningEffects reduce: @escaping (inout State, Event) -> Effects, initialState: State? = nil, clock: StepClock = .monotonic,
        name: String? = nil
    ) -> (inout State, Event) -> Effects {
        let loop = ForeignLoop(self, initialState: initialState, clock: clock, name: name)
        let keepsPrevious = needs.contains(.previousState)
        return { state, event in
            let previous = keepsPrevious ? state : nil
            let startedAt = loop.now
            let effects = reduce(&state, event)
            loop.saw(event, previous: previous, state: state, startedAt: startedAt)
            return effects
        }
    }
}
