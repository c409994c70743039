import LoopCore
public import LoopFlux

/// An action that carries how one of several works of a kind ended. A key distinguishes the works.
///
/// LoopFlux's article "Stores and actions" has an example, under "Work by key".
public protocol KeyedPayloadAction<Key, Payload>: Action {
    associatedtype Key: Hashable
    /// What the work returns.
    associatedtype Payload

    /// The action for an outcome of the key's work.
    init(result: Result<Payload, any Error>, key: Key)
}

extension Dispatcher {
    /// Runs the work of a key and dispatches an action that carries its payload or its error under that key. All else is as without a key.
    @discardableResult
    public func dispatch<Outcome: KeyedPayloadAction>(
        _ type: Outcome.Type, key: Outcome.Key, fillOnError payload: Outcome.Payload? = nil, isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line, _ work: @escaping () async throws -> Outcome.Payload
    ) -> Task<Void, Never> {
        start(work, fillOnError: payload, SendOrigin(fileID: fileID, line: line), isolation: isolation) { Outcome(result: $0, key: key) }
    }
}
