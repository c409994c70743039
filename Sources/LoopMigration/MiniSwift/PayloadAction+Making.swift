public import LoopFlux

extension PayloadAction {
    /// Runs the work and makes the action of its outcome, without dispatching it. In Mini: `single.action(A.self)`.
    ///
    /// - Parameters:
    ///   - payload: replaces an error; with `nil` the action carries the error.
    ///   - work: runs on the caller's isolation.
    public static func action(
        fillOnError payload: Payload? = nil, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Payload
    ) async -> Self { Self(result: await Result(work, fillOnError: payload, isolation: isolation)) }
}

extension KeyedPayloadAction {
    /// Runs the work of a key and makes the action of its outcome under that key. All else is as without a key.
    public static func action(
        key: Key, fillOnError payload: Payload? = nil, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Payload
    ) async -> Self { Self(result: await Result(work, fillOnError: payload, isolation: isolation), key: key) }
}
