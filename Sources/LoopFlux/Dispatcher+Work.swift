package import LoopCore

extension Dispatcher {
    /// Runs the work and dispatches an action that carries its payload or its error.
    ///
    /// ```swift
    /// dispatcher.dispatch(ProductsLoaded.self, fillOnError: []) { try await api.products() }
    /// ```
    /// The work runs on the caller's isolation and does not keep the dispatcher alive. It is cancelled when the dispatcher stops or goes.
    ///
    /// - Parameters:
    ///   - type: the action to make of the outcome.
    ///   - payload: replaces an error; with `nil` the action carries the error.
    ///   - work: its result becomes the action's payload.
    /// - Returns: a task that ends when the action has been delivered. If it is cancelled, no action is dispatched.
    @discardableResult
    public func dispatch<Outcome: PayloadAction>(
        _ type: Outcome.Type, fillOnError payload: Outcome.Payload? = nil, isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line, _ work: @escaping () async throws -> Outcome.Payload
    ) -> Task<Void, Never> {
        start(work, fillOnError: payload, SendOrigin(fileID: fileID, line: line), isolation: isolation) { Outcome(result: $0) }
    }

    package func start<Payload>(
        _ work: @escaping () async throws -> Payload, fillOnError payload: Payload?, _ origin: SendOrigin,
        isolation: isolated any Actor, _ makeAction: @escaping (Result<Payload, any Error>) -> any Action
    ) -> Task<Void, Never> {
        enter(isolation)
        let id = startedWork
        startedWork += 1
        let task = Task { [weak self] in
            let result = await Result(work, fillOnError: payload, isolation: isolation)
            let isCancelled = Task.isCancelled
            guard let self else { return }
            if !isCancelled { dispatch(makeAction(result), isolation: isolation, fileID: origin.fileID, line: origin.line) }
            self.work[id] = nil
            wakeWaiters()
        }
        if isStopped { task.cancel() } else { self.work[id] = task }
        return task
    }
}

extension Result where Failure == any Error {
    /// The outcome of the work, with `payload` in place of an error if there is a payload.
    package init(_ work: () async throws -> Success, fillOnError payload: Success?, isolation: isolated (any Actor)?) async {
        do { self = .success(try await work()) } catch { self = payload.map { .success($0) } ?? .failure(error) }
    }
}
