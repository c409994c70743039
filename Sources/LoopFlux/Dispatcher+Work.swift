import LoopCore

/// Dispatching the outcome of asynchronous work. In Mini: `single.dispatch(action: A.self, on: dispatcher, fillOnError:)`.
///
/// ```swift
/// dispatcher.dispatch(ProductsLoaded.self, fillOnError: []) { try await api.products() }
/// ```
/// The work runs on the caller's isolation, as a task that does not keep the dispatcher alive. The returned task ends when the action
/// has been told; cancelling it cancels the work, and then no action is dispatched.
extension Dispatcher {
    /// Runs the work and dispatches an action that carries its payload or its error.
    ///
    /// - Parameters:
    ///   - type: the action to make of the outcome.
    ///   - payload: what to tell in place of an error; with `nil` the error is told.
    ///   - work: its result becomes the action's payload.
    @discardableResult
    public func dispatch<Told: PayloadAction>(
        _ type: Told.Type, fillOnError payload: Told.Payload? = nil, isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line, _ work: @escaping () async throws -> Told.Payload
    ) -> Task<Void, Never> {
        follow(work, fillOnError: payload, SendOrigin(fileID: fileID, line: line), isolation: isolation) { Told(result: $0) }
    }

    /// Runs the work of a key and dispatches an action that carries its payload or its error under that key.
    ///
    /// - Parameters:
    ///   - type: the action to make of the outcome.
    ///   - key: which of the works this is.
    ///   - payload: what to tell in place of an error; with `nil` the error is told.
    ///   - work: its result becomes the action's payload.
    @discardableResult
    public func dispatch<Told: KeyedPayloadAction>(
        _ type: Told.Type, key: Told.Key, fillOnError payload: Told.Payload? = nil, isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line, _ work: @escaping () async throws -> Told.Payload
    ) -> Task<Void, Never> {
        follow(work, fillOnError: payload, SendOrigin(fileID: fileID, line: line), isolation: isolation) {
            Told(result: $0, key: key)
        }
    }

    /// The same for an action with a task, whose success counts as recent for a while.
    ///
    /// - Parameter expiration: how long, by the dispatcher's clock.
    @discardableResult
    public func dispatch<Told: TaskOutcomeAction>(
        _ type: Told.Type, expiration: TaskExpiration, fillOnError payload: Told.Payload? = nil,
        isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping () async throws -> Told.Payload
    ) -> Task<Void, Never> {
        follow(work, fillOnError: payload, SendOrigin(fileID: fileID, line: line), isolation: isolation) { [clock] in
            Told(task: AnyTask(of: $0, expiration: expiration, clock: clock), result: $0)
        }
    }

    /// The same for a keyed action with a task, whose success counts as recent for a while.
    ///
    /// - Parameter expiration: how long, by the dispatcher's clock.
    @discardableResult
    public func dispatch<Told: KeyedTaskOutcomeAction>(
        _ type: Told.Type, key: Told.Key, expiration: TaskExpiration, fillOnError payload: Told.Payload? = nil,
        isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping () async throws -> Told.Payload
    ) -> Task<Void, Never> {
        follow(work, fillOnError: payload, SendOrigin(fileID: fileID, line: line), isolation: isolation) { [clock] in
            Told(task: AnyTask(of: $0, expiration: expiration, clock: clock), result: $0, key: key)
        }
    }

    private func follow<Payload>(
        _ work: @escaping () async throws -> Payload, fillOnError payload: Payload?, _ origin: SendOrigin,
        isolation: isolated any Actor, _ make: @escaping (Result<Payload, any Error>) -> any Action
    ) -> Task<Void, Never> {
        enter(isolation)
        return Task { [weak self] in
            let result = await Outcome.of(work, fillOnError: payload, isolation: isolation)
            if Task.isCancelled { return }
            self?.dispatch(make(result), isolation: isolation, fileID: origin.fileID, line: origin.line)
        }
    }
}
