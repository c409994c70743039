/// Systems whose reducer is a plain function, in each of the four forms.
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

    /// A system whose reducer changes the state in place and returns the effects to run.
    @_disfavoredOverload
    public convenience init(
        name: String? = nil, initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .defaultLimit,
        reducer: @escaping (inout State, Event) -> Effect<Event>
    ) {
        self.init(
            name: name, initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(reducer))
    }

    /// A system whose reducer is a closure that returns the effect of another function. `Reducer` has an initializer like this, too.
    public convenience init<Returned: ReturnedEffect<Event>>(
        name: String? = nil, initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .defaultLimit,
        reducer: @escaping (inout State, Event) -> Returned
    ) {
        self.init(
            name: name, initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(reducer))
    }

    /// A system whose reducer returns the next state.
    public convenience init(
        name: String? = nil, initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .defaultLimit,
        returning reduce: @escaping (State, Event) -> State
    ) {
        self.init(
            name: name, initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(returning: reduce))
    }

    /// A system whose reducer returns a description of the next state.
    public convenience init(
        name: String? = nil, initialState: State, history: HistoryLimit = .off, clock: StepClock = .monotonic,
        feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .defaultLimit,
        next reduce: @escaping (State, Event) -> Next<State>
    ) {
        self.init(
            name: name, initialState: initialState, history: history, clock: clock, feedbacks: feedbacks,
            maxFeedbackEvents: maxFeedbackEvents, reducer: Reducer(next: reduce))
    }
}
