/// One task for each key, such as one for each product that is being loaded.
public typealias KeyedTask<Key: Hashable> = [Key: AnyTask]

/// What is asked of the task of a key. A key without a task is no error and is in none of these states.
extension Dictionary {
    /// The task of a key, idle where there is none yet. (Mini stops the program there.)
    public subscript<Payload>(task key: Key) -> Value where Value == TypedTask<Payload> { self[key] ?? .idle() }

    public func isRunning<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> { self[key]?.isRunning ?? false }

    public func isRecentlySucceeded<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> {
        self[key]?.isRecentlySucceeded ?? false
    }

    /// Whether the task of the key succeeded or failed; Mini's version 1 calls it `isTerminal`.
    public func isCompleted<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> { self[key]?.isCompleted ?? false }

    public func isSuccessful<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> { self[key]?.isSuccessful ?? false }

    public func isFailure<Payload>(key: Key) -> Bool where Value == TypedTask<Payload> { self[key]?.isFailure ?? false }
}
