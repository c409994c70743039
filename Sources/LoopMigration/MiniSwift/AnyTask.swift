import LoopCore
public import LoopFlux

/// Mini's task without a type: its payload, if any, is kept elsewhere in the state.
///
/// It holds `any Sendable` in place of `Any`, so that actions with a task can come from other threads.
public typealias AnyTask = TypedTask<any Sendable>

extension AnyTask {
    /// A completed task for the outcome of some work. The payload itself is kept elsewhere.
    init<Success>(of result: Result<Success, any Error>, expiration: TaskExpiration = .immediately, clock: StepClock = .monotonic) {
        self =
            switch result {
            case .success: .success(expiration: expiration, clock: clock)
            case .failure(let error): .failure(error)
            }
    }
}
