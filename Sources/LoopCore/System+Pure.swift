extension System {
    /// PromisedArchitectureKit's spelling: a system with its bindings, which have been called with the initial state when this returns.
    ///
    /// - Parameter uiBindings: each is called for every state, in order; `nil` entries are skipped.
    public static func pure(
        initialState: State, reducer: Reducer<State, Event>, uiBindings: [((State) -> Void)?] = [],
        isolation: isolated any Actor = #isolation
    ) -> System {
        let system = System(initialState: initialState, reducer: reducer)
        system.start(isolation: isolation)
        for binding in uiBindings {
            if let binding { system.bind(binding) }
        }
        return system
    }

    /// The same for a reducer that returns a description of the next state.
    public static func pure(
        initialState: State, reducer: @escaping (State, Event) -> Next<State>, uiBindings: [((State) -> Void)?] = [],
        isolation: isolated any Actor = #isolation
    ) -> System {
        pure(initialState: initialState, reducer: Reducer(reducer), uiBindings: uiBindings, isolation: isolation)
    }

    /// The same for a reducer that returns the next state.
    public static func pure(
        initialState: State, reducer: @escaping (State, Event) -> State, uiBindings: [((State) -> Void)?] = [],
        isolation: isolated any Actor = #isolation
    ) -> System {
        pure(initialState: initialState, reducer: Reducer(reducer), uiBindings: uiBindings, isolation: isolation)
    }

    /// The same for a reducer that changes the state in place.
    public static func pure(
        initialState: State, reducer: @escaping (inout State, Event) -> Void, uiBindings: [((State) -> Void)?] = [],
        isolation: isolated any Actor = #isolation
    ) -> System {
        pure(initialState: initialState, reducer: Reducer(reducer), uiBindings: uiBindings, isolation: isolation)
    }
}
