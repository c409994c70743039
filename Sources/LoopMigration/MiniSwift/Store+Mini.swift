import LoopCore
public import LoopFlux

extension Store {
    /// Shows the current state to all observers once more.
    public func replayOnce() { showAgain() }

    /// Dispatches an action and returns the store: `store.dispatch(Load()).withStateChanges(in: \.product) { … }`.
    @discardableResult
    public func dispatch(
        _ action: any Action, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        dispatcher.dispatch(action, isolation: isolation, fileID: fileID, line: line)
        return self
    }

    /// Dispatches an action and returns the first state in which a promise is resolved.
    ///
    /// - Throws: the promise's error if it is rejected, `CancellationError` if the waiting task is cancelled.
    @discardableResult
    public func dispatch<Value>(
        _ action: any Action, until promise: KeyPath<State, Promise<Value>>, isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> State {
        try await state(after: action, isolation, fileID, line) { $0[keyPath: promise].result }
    }

    /// Dispatches an action and returns the first state in which the promise of a key is resolved.
    ///
    /// - Throws: the promise's error if it is rejected, `CancellationError` if the waiting task is cancelled.
    @discardableResult
    public func dispatch<Key: Hashable, Value>(
        _ action: any Action, until promises: KeyPath<State, [Key: Promise<Value>]>, key: Key,
        isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> State {
        try await state(after: action, isolation, fileID, line) { $0[keyPath: promises][key]?.result }
    }

    /// Dispatches an action and returns the first state in which a task is completed.
    ///
    /// - Throws: the task's error if it failed, `CancellationError` if the waiting task is cancelled.
    @discardableResult
    public func dispatch<Payload>(
        _ action: any Action, until task: KeyPath<State, TypedTask<Payload>>, isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> State {
        try await state(after: action, isolation, fileID, line) { $0[keyPath: task].result }
    }

    /// Dispatches an action and returns the first state in which the task of a key is completed.
    ///
    /// - Throws: the task's error if it failed, `CancellationError` if the waiting task is cancelled.
    @discardableResult
    public func dispatch<Key: Hashable, Payload>(
        _ action: any Action, until tasks: KeyPath<State, [Key: TypedTask<Payload>]>, key: Key,
        isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> State {
        try await state(after: action, isolation, fileID, line) { $0[keyPath: tasks][key]?.result }
    }

    private func state<Value>(
        after action: any Action, _ isolation: isolated any Actor, _ fileID: StaticString, _ line: UInt,
        _ outcome: (State) -> Result<Value, any Error>?
    ) async throws -> State {
        try await dispatch(
            action, until: { state in outcome(state)?.map { _ in state } }, isolation: isolation, fileID: fileID, line: line)
    }
}
