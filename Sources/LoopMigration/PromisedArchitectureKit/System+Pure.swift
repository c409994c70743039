public import LoopCore

/// PromisedArchitectureKit's and ArchitectureKit's spelling of a running system.
extension System {
    /// A system with its bindings, feedbacks and actions, all in place when this returns. Its reducer describes the next state.
    ///
    /// Bindings are called with the initial state, then feedbacks begin; what they send at once is reduced and shown when this returns.
    ///
    /// - Parameters:
    ///   - uiBindings: each is called for every state, in order; `nil` entries are skipped.
    ///   - userActions: are connected to the system.
    ///   - maxFeedbackEvents: where a chain of feedback events stops; ArchitectureKit's rule is `.perOutsideEvent(5 * n)` for n feedbacks.
    ///   - history: how many states the system keeps.
    public static func pure(
        initialState: State, reducer: @escaping (State, Event) -> Next<State>, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [Feedback<State, Event>] = [],
        maxFeedbackEvents: FeedbackLimit = .defaultLimit, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        System(initialState: initialState, history: history, feedbacks: feedback, maxFeedbackEvents: maxFeedbackEvents, next: reducer)
            .running(uiBindings, userActions, isolation: isolation)
    }

    /// A running system whose reducer returns the next state.
    public static func pure(
        initialState: State, reducer: @escaping (State, Event) -> State, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [Feedback<State, Event>] = [],
        maxFeedbackEvents: FeedbackLimit = .defaultLimit, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        System(initialState: initialState, history: history, feedbacks: feedback, maxFeedbackEvents: maxFeedbackEvents, returning: reducer)
            .running(uiBindings, userActions, isolation: isolation)
    }

    /// A running system whose reducer changes the state in place.
    public static func pure(
        initialState: State, reducer: @escaping (inout State, Event) -> Void, uiBindings: [((State) -> Void)?] = [],
        userActions: [any SystemDriving<Event>] = [], feedback: [Feedback<State, Event>] = [],
        maxFeedbackEvents: FeedbackLimit = .defaultLimit, history: HistoryLimit = .off, isolation: isolated any Actor = #isolation
    ) -> System {
        System(initialState: initialState, history: history, feedbacks: feedback, maxFeedbackEvents: maxFeedbackEvents, reducer: reducer)
            .running(uiBindings, userActions, isolation: isolation)
    }

    func running(_ uiBindings: [((State) -> Void)?], _ userActions: [any SystemDriving<Event>], isolation: isolated any Actor) -> System {
        for binding in uiBindings.compactMap({ $0 }) { bind(binding) }
        for action in userActions { action.connect(to: self) }
        return start(isolation: isolation)
    }
}
