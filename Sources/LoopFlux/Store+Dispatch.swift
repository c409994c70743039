import LoopCore

/// Dispatching an action and waiting for what it asked for.
extension Store {
    /// Dispatches an action and gives the store back, for observing: `store.dispatch(Load()).withStateChanges(in: \.product) { … }`.
    @discardableResult
    public func dispatch(
        _ action: any Action, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        dispatcher.dispatch(action, isolation: isolation, fileID: fileID, line: line)
        return self
    }

    /// Dispatches an action and returns the first state from then on in which a promise is resolved.
    ///
    /// The reducer of the action should set the promise to pending; one that is resolved when the dispatching is through counts.
    /// ```swift
    /// let product = try await store.dispatch(Load(sku: sku), until: \.product).product.value
    /// ```
    /// - Throws: the promise's error if it is rejected, `CancellationError` if the waiting task is cancelled.
    @discardableResult
    public func dispatch<Value>(
        _ action: any Action, until promise: KeyPath<State, Promise<Value>>, isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> State {
        dispatch(action, isolation: isolation, fileID: fileID, line: line)
        return try await firstState(isolation: isolation) { $0[keyPath: promise].result }
    }

    /// The same for one promise of several.
    @discardableResult
    public func dispatch<Key: Hashable, Value>(
        _ action: any Action, until promises: KeyPath<State, [Key: Promise<Value>]>, key: Key,
        isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> State {
        dispatch(action, isolation: isolation, fileID: fileID, line: line)
        return try await firstState(isolation: isolation) { $0[keyPath: promises][key]?.result }
    }

    /// Dispatches an action and returns the first state from then on in which a task is completed.
    ///
    /// - Throws: the task's error if it failed, ``UnexplainedTaskFailure`` if it failed without one, `CancellationError` if the waiting
    ///   task is cancelled.
    @discardableResult
    public func dispatch<Payload>(
        _ action: any Action, until task: KeyPath<State, TypedTask<Payload>>, isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> State {
        dispatch(action, isolation: isolation, fileID: fileID, line: line)
        return try await firstState(isolation: isolation) { $0[keyPath: task].outcome }
    }

    /// The same for one task of several.
    @discardableResult
    public func dispatch<Key: Hashable, Payload>(
        _ action: any Action, until tasks: KeyPath<State, [Key: TypedTask<Payload>]>, key: Key,
        isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> State {
        dispatch(action, isolation: isolation, fileID: fileID, line: line)
        return try await firstState(isolation: isolation) { $0[keyPath: tasks][key]?.outcome }
    }

    /// The first state, the current one included, for which a condition holds; filters as Mini's `filterOne`.
    ///
    /// - Throws: `CancellationError` if the waiting task is cancelled.
    public func firstState(isolation: isolated any Actor = #isolation, where condition: (State) -> Bool) async throws -> State {
        try await firstState(isolation: isolation) { condition($0) ? .success(()) : nil as Result<Void, any Error>? }
    }

    private func firstState<Value>(
        isolation: isolated any Actor, _ outcome: (State) -> Result<Value, any Error>?
    ) async throws -> State {
        var iterator = states(.all).makeAsyncIterator()
        while let state = await iterator.next(isolation: isolation) {
            guard let result = outcome(state) else { continue }
            if case .failure(let error) = result { throw error }
            return state
        }
        throw CancellationError()
    }
}

/// A task failed and holds no error.
public struct UnexplainedTaskFailure: Error, Equatable, CustomStringConvertible {
    /// The task's tag.
    public let tag: String?

    public var description: String {
        "The task\(tag.map { " \"\($0)\"" } ?? "") failed and holds no error. Make failed tasks with TypedTask.failure(_:), which asks for one."
    }
}

extension TypedTask {
    /// How it ended; `nil` while it did not.
    fileprivate var outcome: Result<Void, any Error>? {
        switch status {
        case .idle, .running: nil
        case .success: .success(())
        case .failure: .failure(error ?? UnexplainedTaskFailure(tag: tag))
        }
    }
}
