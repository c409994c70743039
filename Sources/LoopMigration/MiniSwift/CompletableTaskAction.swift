public import LoopFlux

/// An action with the outcome of some work as a task, whose success counts as recent for a while.
public protocol TaskOutcomeAction: PayloadAction {
    /// - Parameters:
    ///   - task: successful or failed, as the result is.
    ///   - result: the outcome.
    init(task: AnyTask, result: Result<Payload, any Error>)
}

extension TaskOutcomeAction {
    public init(result: Result<Payload, any Error>) { self.init(task: AnyTask(of: result), result: result) }
}

/// A ``TaskOutcomeAction`` under a key.
public protocol KeyedTaskOutcomeAction: KeyedPayloadAction {
    /// - Parameters:
    ///   - task: successful or failed, as the result is.
    ///   - result: the outcome.
    ///   - key: which of the works this was.
    init(task: AnyTask, result: Result<Payload, any Error>, key: Key)
}

extension KeyedTaskOutcomeAction {
    public init(result: Result<Payload, any Error>, key: Key) { self.init(task: AnyTask(of: result), result: result, key: key) }
}

/// Mini's action with a task and the payload beside it: `CompletableAction` of MiniTasks.
///
/// ```swift
/// struct ProductsLoaded: CompletableTaskAction {
///     typealias Payload = [Product]
///     let task: AnyTask
///     let payload: Payload?
/// }
/// ```
public protocol CompletableTaskAction: TaskOutcomeAction {
    /// - Parameter payload: `nil` if the task failed.
    init(task: AnyTask, payload: Payload?)
}

extension CompletableTaskAction {
    public init(task: AnyTask, result: Result<Payload, any Error>) { self.init(task: task, payload: try? result.get()) }
}

/// Mini's action with a task alone: `EmptyAction` of MiniTasks.
public protocol EmptyTaskAction: TaskOutcomeAction where Payload == Void {
    init(task: AnyTask)
}

extension EmptyTaskAction {
    public init(task: AnyTask, result: Result<Payload, any Error>) { self.init(task: task) }
}

/// A ``CompletableTaskAction`` under a key.
public protocol KeyedCompletableTaskAction: KeyedTaskOutcomeAction {
    /// - Parameter payload: `nil` if the task failed.
    init(task: AnyTask, payload: Payload?, key: Key)
}

extension KeyedCompletableTaskAction {
    public init(task: AnyTask, result: Result<Payload, any Error>, key: Key) {
        self.init(task: task, payload: try? result.get(), key: key)
    }
}

/// An ``EmptyTaskAction`` under a key.
public protocol KeyedEmptyTaskAction: KeyedTaskOutcomeAction where Payload == Void {
    init(task: AnyTask, key: Key)
}

extension KeyedEmptyTaskAction {
    public init(task: AnyTask, result: Result<Payload, any Error>, key: Key) { self.init(task: task, key: key) }
}
