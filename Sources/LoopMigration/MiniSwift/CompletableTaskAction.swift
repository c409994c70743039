public import LoopFlux

/// Mini's action with a task and the payload beside it: `CompletableAction` of MiniTasks.
///
/// ```swift
/// struct ProductsLoaded: CompletableTaskAction {
///     typealias Payload = [Product]
///     let task: AnyTask
///     let payload: Payload?
/// }
/// ```
/// The task says how the work ended, and for how long its success counts as recent.
public protocol CompletableTaskAction: PayloadAction {
    /// - Parameter payload: `nil` if the task failed.
    init(task: AnyTask, payload: Payload?)
}

extension CompletableTaskAction {
    public init(result: Result<Payload, any Error>) { self.init(task: AnyTask(of: result), payload: try? result.get()) }
}

/// Mini's action with a task alone: `EmptyAction` of MiniTasks.
public protocol EmptyTaskAction: CompletableTaskAction where Payload == Void { init(task: AnyTask) }

extension EmptyTaskAction { public init(task: AnyTask, payload: Void?) { self.init(task: task) } }

/// A ``CompletableTaskAction`` under a key.
public protocol KeyedCompletableTaskAction: KeyedPayloadAction {
    /// - Parameter payload: `nil` if the task failed.
    init(task: AnyTask, payload: Payload?, key: Key)
}

extension KeyedCompletableTaskAction {
    public init(result: Result<Payload, any Error>, key: Key) { self.init(task: AnyTask(of: result), payload: try? result.get(), key: key) }
}

/// An ``EmptyTaskAction`` under a key.
public protocol KeyedEmptyTaskAction: KeyedCompletableTaskAction where Payload == Void { init(task: AnyTask, key: Key) }

extension KeyedEmptyTaskAction { public init(task: AnyTask, payload: Void?, key: Key) { self.init(task: task, key: key) } }
