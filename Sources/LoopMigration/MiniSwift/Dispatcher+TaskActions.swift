import LoopCore
public import LoopFlux

extension Dispatcher {
    /// Runs the work and dispatches an action whose task says how it ended, and how long a success counts as recent.
    ///
    /// - Parameters:
    ///   - type: the action to make of the outcome.
    ///   - expiration: how long a success counts as recent, by the dispatcher's clock.
    ///   - payload: replaces an error; with `nil` the action carries the error.
    ///   - work: its result becomes the action's payload.
    @discardableResult
    public func dispatch<Outcome: CompletableTaskAction>(
        _ type: Outcome.Type, expiration: TaskExpiration, fillOnError payload: Outcome.Payload? = nil,
        isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping () async throws -> Outcome.Payload
    ) -> Task<Void, Never> {
        start(work, fillOnError: payload, SendOrigin(fileID: fileID, line: line), isolation: isolation) { [clock] in
            Outcome(task: AnyTask(of: $0, expiration: expiration, clock: clock), payload: try? $0.get())
        }
    }

    /// Runs the work of a key and dispatches an action whose task says under that key how it ended. All else is as without a key.
    @discardableResult
    public func dispatch<Outcome: KeyedCompletableTaskAction>(
        _ type: Outcome.Type, key: Outcome.Key, expiration: TaskExpiration, fillOnError payload: Outcome.Payload? = nil,
        isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping () async throws -> Outcome.Payload
    ) -> Task<Void, Never> {
        start(work, fillOnError: payload, SendOrigin(fileID: fileID, line: line), isolation: isolation) { [clock] in
            Outcome(task: AnyTask(of: $0, expiration: expiration, clock: clock), payload: try? $0.get(), key: key)
        }
    }
}
