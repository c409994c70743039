import LoopCore

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

/// One task for each key, such as one for each product that is being loaded.
public typealias KeyedTask<Key: Hashable> = [Key: AnyTask]

/// Mini's questions about the task of a key. All are `false` for a key without a task.
extension Dictionary {
    /// The task of a key; idle if there is none. (Mini stops the program there.)
    public subscript<Payload>(task key: Key) -> Value where Value == TypedTask<Payload> { self[key] ?? .idle() }

    public func isRunning<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> { self[task: key].isRunning }
    public func isRecentlySucceeded<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> { self[task: key].isRecentlySucceeded }
    /// Whether the task of the key succeeded or failed. In Mini's version 1: `isTerminal`.
    public func isCompleted<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> { self[task: key].isCompleted }
    public func isSuccessful<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> { self[task: key].isSuccessful }
    public func isFailure<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> { self[task: key].isFailure }
}
