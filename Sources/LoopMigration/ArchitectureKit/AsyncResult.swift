import LoopCore

/// ArchitectureKit's description of asynchronous work that needs a context and gives a value or an error: a reader, a future and a result.
///
/// Nothing runs until ``run(in:)`` is called, and each call runs it anew.
/// ```swift
/// let jokes = AsyncResult<Services, [Joke]> { try await $0.jokes.all() }
/// let first = jokes.map(\.first).handleError { _ in .pure(nil) }
/// Feedback.while(\.isLoading) { _ in .run { try await first.map(Event.loaded).run(in: services) } }
/// ```
public struct AsyncResult<Context, Value> {
    private let make: (Context) -> Next<Value>

    private init(making make: @escaping (Context) -> Next<Value>) { self.make = make }

    /// - Parameter work: runs on the caller's isolation.
    public init(_ work: @escaping (Context) async throws -> Value) { make = { context in .run { try await work(context) } } }

    /// A value that is there already.
    public static func pure(_ value: Value) -> AsyncResult { AsyncResult(making: { _ in .value(value) }) }

    /// A result that fails with this error.
    public static func failure(_ error: any Error) -> AsyncResult { AsyncResult(making: { _ in .failure(error) }) }

    /// Runs the work.
    ///
    /// - Throws: whatever the work throws.
    public nonisolated(nonsending) func run(in context: Context) async throws -> Value { try await make(context).value() }

    public func map<Other>(_ transform: @escaping (Value) -> Other) -> AsyncResult<Context, Other> {
        AsyncResult<Context, Other>(making: { make($0).map(transform) })
    }

    /// Goes on with the work that `transform` makes of the value, in the same context.
    public func flatMap<Other>(_ transform: @escaping (Value) -> AsyncResult<Context, Other>) -> AsyncResult<Context, Other> {
        AsyncResult<Context, Other>(making: { context in make(context).flatMap { transform($0).make(context) } })
    }

    /// Answers an error with other work, in the same context. A `CancellationError` is passed on.
    public func handleError(_ recover: @escaping (any Error) -> AsyncResult) -> AsyncResult {
        AsyncResult(making: { context in make(context).recover { recover($0).make(context) } })
    }

    /// This work for a larger context that contains its context.
    public func pullback<Whole>(_ part: @escaping (Whole) -> Context) -> AsyncResult<Whole, Value> {
        AsyncResult<Whole, Value>(making: { make(part($0)) })
    }

    /// All values as a tuple. The parts run concurrently; the first error cancels the others.
    public static func zip<each Part>(_ parts: repeat AsyncResult<Context, each Part>) -> AsyncResult where Value == (repeat each Part) {
        AsyncResult(making: { context in .zip(repeat (each parts).make(context)) })
    }
}

/// ArchitectureKit's names for what an `AsyncResult` does.
extension AsyncResult {
    /// Work that calls back, on any thread. The first answer counts.
    public static func unfoldTT(
        _ begin: @escaping (Context, @escaping @Sendable (sending Result<Value, any Error>) -> Void) -> Void
    ) -> AsyncResult { AsyncResult { context in try await Next<Value> { seal in begin(context) { seal.resolve($0) } }.value() } }
    public static func pureTT(_ value: Value) -> AsyncResult { pure(value) }
    public func mapTT<Other>(_ transform: @escaping (Value) -> Other) -> AsyncResult<Context, Other> { map(transform) }
    public func flatMapTT<Other>(_ next: @escaping (Value) -> AsyncResult<Context, Other>) -> AsyncResult<Context, Other> { flatMap(next) }
    public func handleErrorWith(_ recover: @escaping (any Error) -> AsyncResult) -> AsyncResult { handleError(recover) }
}
