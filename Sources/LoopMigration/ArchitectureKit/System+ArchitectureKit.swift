public import LoopCore

extension System {
    /// A system that has not run yet, with feedbacks that need a dependency.
    ///
    /// - Parameter dependency: handed to each feedback.
    public convenience init<Dependency>(
        initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic, dependency: Dependency,
        feedbacks: [DependentFeedback<State, Event, Dependency>], maxFeedbackEvents: FeedbackLimit = .defaultLimit,
        reducer: Reducer<State, Event>
    ) {
        self.init(
            initialState: initialState, history: history, clock: clock, feedbacks: feedbacks.map { $0.make(dependency) },
            maxFeedbackEvents: maxFeedbackEvents, reducer: reducer)
    }

    /// ArchitectureKit's running system with a context, which is handed to each feedback.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: @escaping (State, Event) -> State, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .defaultLimit, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: reducer, uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0.make(context) }, maxFeedbackEvents: maxFeedbackEvents, history: history, isolation: isolation)
    }
}
