/// Runs several pieces of work side by side on the caller's isolation and returns when all have ended. It uses no task group, whose
/// children must be `Sendable`: these works stay on one isolation. A caller without an isolation gets an actor for the call. Throws the
/// first error, which cancels the rest, and `CancellationError` if the caller is cancelled.
func together(_ works: [Next<Void>.Work], isolation: isolated (any Actor)? = #isolation) async throws {
    guard works.count > 1 else {
        for work in works { try await work() }
        return try Task.checkCancellation()
    }
    if isolation == nil {
        // Safe because the caller, who alone may use what the works use, waits here until all have ended.
        nonisolated(unsafe) let works = works
        return try await Stage().run(works)
    }
    let progress = TogetherProgress()
    let tasks = works.map { work in
        Task {
            _ = isolation
            do { try await work() } catch { progress.failed(error) }
        }
    }
    progress.tasks = tasks
    await withTaskCancellationHandler {
        for task in tasks { await task.value }
    } onCancel: {
        for task in tasks { task.cancel() }
    }
    if let error = progress.firstError { throw error }
    try Task.checkCancellation()
}

/// The tasks of the works and their first error. It stays on the isolation on which they run.
private final class TogetherProgress {
    var tasks: [Task<Void, Never>] = []
    private(set) var firstError: (any Error)?

    func failed(_ error: any Error) {
        if firstError != nil { return }
        firstError = error
        for task in tasks { task.cancel() }
    }
}

/// Where the works run for a caller without an isolation.
private actor Stage { func run(_ works: [Next<Void>.Work]) async throws { try await together(works, isolation: self) } }
