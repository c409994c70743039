import LoopCore
import LoopLogging

extension TestSystem {
    /// Begins the feedbacks without sending anything, for a test whose initial state starts effects.
    public func start(isolation: isolated any Actor = #isolation) async {
        system.start(isolation: isolation)
        await Task.yield()
    }

    /// Sends an event and compares what it does at once: the state it leads to, or its loading state where it has one, or nothing where its
    /// work runs without one. Where the work of an earlier event still runs, the event waits, and its step is received later.
    ///
    /// - Parameter change: turns the state that the test knows of into the expected one.
    public func send(
        _ event: Event, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ change: (inout State) -> Void = { _ in }
    ) async {
        let place = TestFailure(fileID: fileID, filePath: filePath, line: line, column: column)
        system.start(isolation: isolation)
        if !waiting.isEmpty {
            fail("\(event) was sent too early. \(unreceived)\nReceive them first, or skip them with skipReceived().", at: place)
            forgetWaiting()
        }
        if system.isStopped { fail("\(event) was dropped: the system has been stopped.", at: place) }
        system.send(event, isolation: isolation, fileID: fileID, line: line)
        let own = waiting.isEmpty ? nil : waiting.removeFirst()
        compare(own?.state ?? known, after: "\(event)", change, at: place)
        // Only now does the work of effects begin.
        await Task.yield()
    }

    /// Waits for the next step, which must be that of an event for which the condition holds, and compares its state.
    ///
    /// It fails at once where nothing runs that could bring a step.
    ///
    /// - Parameters:
    ///   - isExpected: whether it is this event.
    ///   - change: turns the state that the test knows of into the expected one.
    public func receive(
        where isExpected: (Event) -> Bool, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ change: (inout State) -> Void = { _ in }
    ) async {
        await receive(
            "an event that fits", isExpected, isolation: isolation,
            at: TestFailure(fileID: fileID, filePath: filePath, line: line, column: column), change)
    }

    /// Waits for the next step, which must be one that failed, and compares its state, by default with the state that the test knows of.
    ///
    /// - Parameters:
    ///   - isExpected: whether it is this error. A step that was cancelled has a `CancellationError`.
    ///   - change: turns the state that the test knows of into the expected one. After a loading state, that is the state before it.
    public func receiveFailure(
        where isExpected: (any Error) -> Bool, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ change: (inout State) -> Void = { _ in }
    ) async {
        let place = TestFailure(fileID: fileID, filePath: filePath, line: line, column: column)
        guard let step = await next(isolation: isolation) else { return failForNothing("a failure", at: place) }
        let (isRight, text) = (step.testError.map(isExpected), text(of: step, hint: ""))
        if isRight != true { fail("\(isRight == nil ? "a" : "another") failure was expected; what came is \(text).", at: place) }
        compare(step.state, after: text, change, at: place)
        // As in `send`.
        await Task.yield()
    }

    func receive(
        _ expectation: String, _ isExpected: (Event) -> Bool, isolation: isolated any Actor, at place: TestFailure,
        _ change: (inout State) -> Void
    ) async {
        guard let step = await next(isolation: isolation) else { return failForNothing(expectation, at: place) }
        let isRight = step.testError == nil && step.event.map(isExpected) ?? false
        if !isRight {
            fail("\(expectation) was expected; what came is \(text(of: step)).", at: place)
            known = step.state
            return
        }
        compare(step.state, after: text(of: step), change, at: place)
        // As in `send`.
        await Task.yield()
    }

    private func failForNothing(_ expectation: String, at place: TestFailure) {
        let reason =
            system.isSettled && system.runningEffects == 0
            ? "nothing runs that could bring it."
            : "effects under way: \(system.runningEffects). An effect that sleeps wants "
                + "its clock moved before this, and `await clock.whenSleeping()` before the move."
        fail("\(expectation) was expected and nothing came; \(reason)", at: place)
    }

    private func compare(_ found: State, after cause: String, _ change: (inout State) -> Void, at place: TestFailure) {
        var expected = known
        change(&expected)
        known = found
        if expected != found {
            let changes = LogValues<State, Event>(limit: 4_096).changes(from: expected, to: found, max: 64)
            let text = changes.isEmpty ? "both look like \(found)" : changes.text
            fail("another state was expected after \(cause) (expected → found): \(text)", at: place)
        }
    }

    func forgetWaiting() {
        if let last = waiting.last { known = last.state }
        waiting = []
    }

    /// Waits for the next step, which must be this event's, as ``receive(where:isolation:fileID:filePath:line:column:_:)`` does.
    ///
    /// - Parameter event: what an effect sends, or what was sent while work was under way.
    public func receive(
        _ event: Event, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ change: (inout State) -> Void = { _ in }
    ) async where Event: Equatable {
        await receive(
            "\(event)", { $0 == event }, isolation: isolation,
            at: TestFailure(fileID: fileID, filePath: filePath, line: line, column: column), change)
    }
}

extension Step { fileprivate var testError: (any Error)? { outcome?.error ?? (outcome?.isCancelled ?? false ? CancellationError() : nil) } }
