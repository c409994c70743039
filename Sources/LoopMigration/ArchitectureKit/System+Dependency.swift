public import LoopCore

extension System {
    /// A system that has not run yet, with feedbacks that need something to work with.
    ///
    /// - Parameter dependency: handed to each feedback.
    public convenience init<Dependency>(
        initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic, dependency: Dependency,
        feedbacks: [DependentFeedback<State, Event, Dependency>], maxFeedbackEvents: FeedbackLimit = .defaultLimit,
        reducer: Reducer<State, Event>
    ) {
        self.init(
            initialState: initialState, history: history, clock: clock, feedbacks: feedbacks.map { $0(dependency) },
            maxFeedbackEvents: maxFeedbackEvents, reducer: reducer)
    }
}
