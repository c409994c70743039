public import LoopCore

/// Keeps every step of a system, for tests to look at.
///
/// ```swift
/// let recorder = StepRecorder<Shop.State, Shop.Event>()
/// system.attach(recorder.middleware)
/// system.send(.load("sku-1"))
/// await system.settled()
/// #expect(recorder.states == [.start, .loading, .loaded("sku-1")])
/// ```
/// It lives where the system lives and keeps each step with its state until ``removeAll()``. Apps use `LogMemory`, which is bounded.
public final class StepRecorder<State, Event> {
    /// The middleware to attach. Attached to several systems it records their steps as they come.
    public private(set) var middleware = Middleware<State, Event> { _ in }

    /// Every step, in order.
    public private(set) var steps: [Step<State, Event>] = []

    /// A recorder of nothing yet.
    ///
    /// - Parameter needs: what the steps are to hold beside the event and the state. By default the previous state and the timing.
    public init(needs: MiddlewareNeeds = [.previousState, .timing]) {
        // Weak, so that a system which outlives the test's recorder does not keep it alive.
        middleware = Middleware(needs: needs) { [weak self] step in self?.steps.append(step) }
    }

    /// The state of each step, the initial and the loading ones included.
    public var states: [State] { steps.map(\.state) }

    /// Each event once, in the order in which they ended.
    public var events: [Event] { settled.compactMap(\.event) }

    /// The numbers of ``events``, in the same order.
    package var numbers: [Int] { settled.map(\.number) }

    public var phases: [StepPhase] { steps.map(\.phase) }

    /// The errors of the failed steps, in order.
    public var errors: [any Error] { steps.compactMap { $0.outcome?.error } }

    public func removeAll() { steps = [] }

    private var settled: [Step<State, Event>] { steps.filter { $0.phase == .settled } }
}
