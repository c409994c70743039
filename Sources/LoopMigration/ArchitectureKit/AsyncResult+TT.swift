public import LoopCore

/// ArchitectureKit's names for what an `AsyncResult` does.
extension AsyncResult {
    /// Work that calls back, on any thread. The first answer counts.
    public static func unfoldTT(
        _ begin: @escaping (Context, @escaping @Sendable (sending Result<Value, any Error>) -> Void) -> Void
    ) -> AsyncResult {
        AsyncResult { context in try await Next<Value> { seal in begin(context) { seal.resolve($0) } }.value() }
    }
    public static func pureTT(_ value: Value) -> AsyncResult { pure(value) }
    public func mapTT<Other>(_ transform: @escaping (Value) -> Other) -> AsyncResult<Context, Other> { map(transform) }
    public func flatMapTT<Other>(_ next: @escaping (Value) -> AsyncResult<Context, Other>) -> AsyncResult<Context, Other> { flatMap(next) }
    public func handleErrorWith(_ recover: @escaping (any Error) -> AsyncResult) -> AsyncResult { handleError(recover) }
}
