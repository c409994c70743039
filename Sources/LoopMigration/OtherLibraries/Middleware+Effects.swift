public import LoopCore

/// Reducers that return more than a state: effects to run, or a value that holds both.
///
/// ```swift
/// let update = middleware.wrapping(update, state: \.model, initialState: .start)                              // Mobius
/// let reducer = middleware.wrapping(returningEffects: Feature().reduce(into:action:), initialState: .start)   // Composable Architecture
/// ```
/// Events that the effects send come back through the reducer, so the middleware sees them like any others.
extension Middleware {
    /// An update function that does what `update` does and lets the middleware see each step, with the function's time if asked for.
    ///
    /// - Parameters:
    ///   - update: returns a value that holds the new state, such as Mobius' `Next`.
    ///   - newState: finds the state in that value; `nil` says that the state stays as it was. Such an event makes a step as well.
    public func wrapping<Update>(
        _ update: @escaping (State, Event) -> Update, state newState: @escaping (Update) -> State?, initialState: State? = nil,
        clock: StepClock = .monotonic, name: String? = nil
    ) -> (State, Event) -> Update {
        let loop = ForeignLoop(self, initialState: initialState, clock: clock, name: name)
        return { state, event in
            let taken = loop.take(event)
            let next = update(state, event)
            loop.saw(taken, previous: state, state: newState(next) ?? state)
            return next
        }
    }

    /// A reducer that does and returns what `reduce` does, and lets the middleware see each step. Only a need of the previous state copies.
    ///
    /// Wrap the reducer once, where the store is made. In a property that the library reads at every event, each step has the number 1.
    public func wrapping<Effects>(
        returningEffects reduce: @escaping (inout State, Event) -> Effects, initialState: State? = nil, clock: StepClock = .monotonic,
        name: String? = nil
    ) -> (inout State, Event) -> Effects {
        let loop = ForeignLoop(self, initialState: initialState, clock: clock, name: name)
        return { state, event in
            let previous = loop.needs.contains(.previousState) ? state : nil
            let taken = loop.take(event)
            let effects = reduce(&state, event)
            loop.saw(taken, previous: previous, state: state)
            return effects
        }
    }
}
