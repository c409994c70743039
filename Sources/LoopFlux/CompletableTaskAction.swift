/// A ``PayloadAction`` whose outcome is told by an ``AnyTask``, which knows how long a success counts as recent.
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

/// An action that carries how some work ended as a task, and its payload beside it.
///
/// ```swift
/// struct ProductsLoaded: CompletableTaskAction {
///     typealias Payload = [Product]
///     let task: AnyTask
///     let payload: Payload?
/// }
/// ```
/// In Mini: `MiniTasks.CompletableAction`.
public protocol CompletableTaskAction: TaskOutcomeAction {
    /// - Parameter payload: `nil` if the task failed.
    init(task: AnyTask, payload: Payload?)
}

extension CompletableTaskAction {
    public init(task: AnyTask, result: Result<Payload, any Error>) { self.init(task: task, payload: result.payload) }
}

/// An action that carries how some work ended as a task, and nothing else.
///
/// In Mini: `MiniTasks.EmptyAction`, which has an initializer with a payload too that always stops the program. Here there is none.
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
        self.init(task: task, payload: result.payload, key: key)
    }
}

/// An ``EmptyTaskAction`` under a key.
public protocol KeyedEmptyTaskAction: KeyedTaskOutcomeAction where Payload == Void {
    init(task: AnyTask, key: Key)
}

extension KeyedEmptyTaskAction {
    public init(task: AnyTask, result: Result<Payload, any Error>, key: Key) { self.init(task: task, key: key) }
}

extension Result {
    fileprivate var payload: Success? {
        if case .success(let payload) = self { payload } else { nil }
    }
}
