public import LoopCore

extension System {
    /// ArchitectureKit's running system with a context, which is handed to each feedback.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: @escaping (State, Event) -> State, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .defaultLimit, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        System(
            initialState: initialState, history: history, dependency: context, feedbacks: feedback, maxFeedbackEvents: maxFeedbackEvents,
            reducer: Reducer(returning: reducer)
        ).running(uiBindings, userActions, isolation: isolation)
    }
}
