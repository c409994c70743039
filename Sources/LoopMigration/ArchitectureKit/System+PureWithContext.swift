public import LoopCore

/// ArchitectureKit's systems with a context.
extension System {
    /// A running system whose context is handed to every effect.
    ///
    /// - Parameter context: handed to each feedback.
    public static func pure<Context>(
        initialState: State, context: Context, reducer: @escaping (State, Event) -> State, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [DependentFeedback<State, Event, Context>] = [],
        maxFeedbackEvents: FeedbackLimit = .defaultLimit, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        pure(
            initialState: initialState, reducer: Reducer(returning: reducer), uiBindings: uiBindings, userActions: userActions,
            feedback: feedback.map { $0(context) }, maxFeedbackEvents: maxFeedbackEvents, history: history, isolation: isolation)
    }
}
