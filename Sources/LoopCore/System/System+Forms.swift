/// Systems whose reducer is a plain function, in each of the three forms.
extension System {
    /// A system whose reducer changes the state in place.
    public convenience init(
        name: String? = nil, initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .defaultLimit,
        reducer: @escaping (inout State, Event) -> Void
    ) {
        self.init(
            name: name, initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(reducer))
    }

    /// A system whose reducer returns the next state.
    public convenience init(
        name: String? = nil, initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .defaultLimit,
        reducer: @escaping (State, Event) -> State
    ) {
        self.init(
            name: name, initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(reducer))
    }

    /// A system whose reducer returns a description of the next state.
    public convenience init(
        name: String? = nil, initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .defaultLimit,
        reducer: @escaping (State, Event) -> Next<State>
    ) {
        self.init(
            name: name, initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(reducer))
    }
}
