public import LoopCore

/// Doubles around a system of their own, in each form a reducer may have.
extension TestSystem {
    /// A double around a system that has not run yet.
    ///
    /// - Parameters:
    ///   - initialState: what the first expected change starts from.
    ///   - feedbacks: begin at the first call of the test.
    ///   - maxFeedbackEvents: as for ``/LoopCore/System``.
    ///   - onFailure: where failures go.
    ///   - reducer: how an event changes the state.
    public convenience init(
        initialState: State, feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .standard,
        onFailure: FailureRecorder = .stopping, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, reducer: Reducer<State, Event>
    ) {
        self.init(
            System(initialState: initialState, feedbacks: feedbacks, maxFeedbackEvents: maxFeedbackEvents, reducer: reducer),
            onFailure: onFailure, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Makes a system under test whose reducer changes the state in place.
    public convenience init(
        initialState: State, feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .standard,
        onFailure: FailureRecorder = .stopping, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, reducer: @escaping (inout State, Event) -> Void
    ) {
        self.init(
            initialState: initialState, feedbacks: feedbacks, maxFeedbackEvents: maxFeedbackEvents, onFailure: onFailure,
            fileID: fileID, filePath: filePath, line: line, column: column, reducer: Reducer(reducer))
    }

    /// Makes a system under test whose reducer returns the next state.
    public convenience init(
        initialState: State, feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .standard,
        onFailure: FailureRecorder = .stopping, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, reducer: @escaping (State, Event) -> State
    ) {
        self.init(
            initialState: initialState, feedbacks: feedbacks, maxFeedbackEvents: maxFeedbackEvents, onFailure: onFailure,
            fileID: fileID, filePath: filePath, line: line, column: column, reducer: Reducer(reducer))
    }

    /// Makes a system under test whose reducer returns a description of the next state.
    public convenience init(
        initialState: State, feedbacks: [Feedback<State, Event>] = [], maxFeedbackEvents: FeedbackLimit = .standard,
        onFailure: FailureRecorder = .stopping, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, reducer: @escaping (State, Event) -> Next<State>
    ) {
        self.init(
            initialState: initialState, feedbacks: feedbacks, maxFeedbackEvents: maxFeedbackEvents, onFailure: onFailure,
            fileID: fileID, filePath: filePath, line: line, column: column, reducer: Reducer(reducer))
    }
}
