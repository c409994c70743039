/// Systems whose feedbacks need something to work with.
extension System {
    /// A system that has not run yet, with feedbacks that need something to work with.
    ///
    /// - Parameters:
    ///   - dependency: handed to each feedback.
    ///   - feedbacks: start effects; they begin at the first isolated call.
    public convenience init<Dependency>(
        initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic, dependency: Dependency,
        feedbacks: [DependentFeedback<State, Event, Dependency>], maxFeedbackEvents: FeedbackLimit = .standard,
        reducer: Reducer<State, Event>
    ) {
        self.init(
            initialState: initialState, history: history, clock: clock, feedbacks: feedbacks.map { $0(dependency) },
            maxFeedbackEvents: maxFeedbackEvents, reducer: reducer)
    }

    /// ArchitectureKit's spelling: a system whose context is handed to every effect.
    ///
    /// - Parameter context: handed to each feedback.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: Reducer<State, Event>, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .standard, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: reducer, uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0(context) }, maxFeedbackEvents: maxFeedbackEvents, isolation: isolation)
    }

    /// The same for a reducer that returns a description of the next state.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: @escaping (State, Event) -> Next<State>, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .standard, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: Reducer(reducer), uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0(context) }, maxFeedbackEvents: maxFeedbackEvents, isolation: isolation)
    }

    /// The same for a reducer that returns the next state.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: @escaping (State, Event) -> State, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .standard, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: Reducer(reducer), uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0(context) }, maxFeedbackEvents: maxFeedbackEvents, isolation: isolation)
    }

    /// The same for a reducer that changes the state in place.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: @escaping (inout State, Event) -> Void, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .standard, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: Reducer(reducer), uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0(context) }, maxFeedbackEvents: maxFeedbackEvents, isolation: isolation)
    }
}
