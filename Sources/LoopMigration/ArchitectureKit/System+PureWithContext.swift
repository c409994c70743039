public import LoopCore

/// ArchitectureKit's systems with a context.
extension System {
    /// A running system whose context is handed to every effect.
    ///
    /// - Parameter context: handed to each feedback.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: Reducer<State, Event>, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .standard, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: reducer, uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0(context) }, maxFeedbackEvents: maxFeedbackEvents, history: history, isolation: isolation)
    }

    /// A running system with a context, whose reducer returns a description of the next state.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: @escaping (State, Event) -> Next<State>, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .standard, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: Reducer(reducer), uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0(context) }, maxFeedbackEvents: maxFeedbackEvents, history: history, isolation: isolation)
    }

    /// A running system with a context, whose reducer returns the next state.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: @escaping (State, Event) -> State, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .standard, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: Reducer(reducer), uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0(context) }, maxFeedbackEvents: maxFeedbackEvents, history: history, isolation: isolation)
    }

    /// A running system with a context, whose reducer changes the state in place.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: @escaping (inout State, Event) -> Void, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .standard, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: Reducer(reducer), uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0(context) }, maxFeedbackEvents: maxFeedbackEvents, history: history, isolation: isolation)
    }
}
