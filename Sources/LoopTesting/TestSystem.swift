public import LoopCore

/// A real system under the eyes of a test, which has to say what every event does to the state.
///
/// ```swift
/// @MainActor @Test func `a product is loaded`() async {
///     let test = TestSystem(
///         System(initialState: Shop.State(), feedbacks: [Shop.load(from: stub)], reducer: Shop.reduce), onFailure: .testing)
///     await test.send(.open("sku-1")) { $0.wanted = "sku-1" }
///     await test.receive(.loaded(sneaker)) { $0.product = sneaker }
///     await test.finish()
/// }
/// ```
/// **Exact.** `send` and `receive` change a copy of the last state, which the system's state must equal. No closure: nothing changes.
///
/// **Complete.** Each step that an effect brings has to be received, in order, before the next `send` and before
/// ``finish(leaving:isolation:fileID:filePath:line:column:)``; by then no effect may run any more. The steps are those of a
/// ``/LoopCore/Middleware``: an event whose `Next` has a loading state makes two, and the second is received like an effect's.
///
/// **Nothing guesses.** A test that passes waits only for its steps, never for a time; effects that sleep do it on a ``ManualClock``. Only
/// a test that is about to fail waits longer: as long as the `patience` of this double.
///
/// It lives where its system lives.
public final class TestSystem<State: Equatable, Event> {
    /// The system under test. Events may be sent to it directly, too; their steps have to be received.
    public let system: System<State, Event>
    private let onFailure: FailureRecorder
    private let patience: Duration
    private let watch: any Clock<Duration>
    let madeAt: TestFailure
    var waiting: [Step<State, Event>] = []
    var known: State
    var ignoresEffects = false
    var isFinished = false
    private(set) var hasFailed = false
    var recording: TestRecording?
    private var signal: AsyncStream<Void>.Continuation?

    /// A double around a system of any making, such as the app's own factory. It begins with the state the system has now.
    ///
    /// - Parameters:
    ///   - system: the steps of events that others send to it have to be received, too.
    ///   - onFailure: where failures go; see ``FailureRecorder`` for Swift Testing and XCTest.
    ///   - patience: how long a test that is about to fail waits for a step that does not come.
    ///   - watch: measures the patience; real time, because effects that run on other threads take some.
    public init(
        _ system: System<State, Event>, onFailure: FailureRecorder = .stopping, patience: Duration = .seconds(5),
        watch: any Clock<Duration> = ContinuousClock(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        (self.system, self.onFailure, self.patience, self.watch) = (system, onFailure, patience, watch)
        madeAt = TestFailure(fileID: fileID, filePath: filePath, line: line, column: column)
        known = system.state
        system.attach(
            Middleware { [weak self] step in
                guard let self, step.phase != .initial else { return }
                self.waiting.append(step)
                self.signal?.yield()
            })
    }

    deinit {
        if isFinished || (waiting.isEmpty && system.isSettled) { return }
        fail("the test ended without finish()" + (waiting.isEmpty ? ", and work was under way." : ".\n" + unreceived), at: madeAt)
    }

    func fail(_ message: String, at place: TestFailure) {
        hasFailed = true
        let kept = recording.map { "\nThe test is recorded: `looptrail inspect \($0.path) -o test.html` shows it." } ?? ""
        onFailure.fail(message + kept, at: place)
    }

    var unreceived: String { "Steps that were not received:\n" + waiting.map { "  \($0.number). \(text(of: $0))" }.joined(separator: "\n") }

    func text(of step: Step<State, Event>, hint: String = " (see receiveFailure(where:))") -> String {
        let event = step.event.map { "\($0)" } ?? "an effect"
        return switch step.outcome {
        case .failed(let error): "\(event), which failed\(hint): \(error)"
        case .cancelled: "\(event), which was cancelled\(hint)"
        case .finished, nil: step.phase == .loading ? "\(event), loading" : event
        }
    }

    /// Takes the next step, waiting for it while something runs that may bring it.
    func next(isolation: isolated any Actor) async -> Step<State, Event>? {
        system.start(isolation: isolation)
        await wait(isolation: isolation) { !self.waiting.isEmpty || self.isIdle(leaving: 0) }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    func isIdle(leaving sources: Int) -> Bool { system.isSettled && (ignoresEffects || system.runningEffects <= sources) }

    /// Waits until the condition holds or the patience is over.
    func wait(isolation: isolated any Actor, for condition: () -> Bool) async {
        // Effects that are about to end only need to run; a stream does not report its end.
        if await giveWay(until: condition) { return }
        let (signals, signal) = AsyncStream<Void>.makeStream()
        self.signal = signal
        let system = self.system
        let settled = Task {
            _ = isolation
            await system.settled()
            signal.yield()
        }
        let limit = Task { [patience, watch] in
            try? await watch.sleep(for: patience)
            // Where all threads are busy, an effect may still wait for one. It has its turn before the test fails.
            for _ in 0..<100 { await Task.yield() }
            signal.finish()
        }
        for await _ in signals where condition() { break }
        self.signal = nil
        settled.cancel()
        limit.cancel()
        // Something else may have kept the actor busy all the while, and the awaited step comes next.
        _ = await giveWay(until: condition)
    }

    private func giveWay(until condition: () -> Bool) async -> Bool {
        for _ in 0..<100 {
            if condition() { return true }
            await Task.yield()
        }
        return false
    }
}
