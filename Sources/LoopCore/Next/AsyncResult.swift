/// A description of asynchronous work that needs a context and gives a value or an error: a reader, a future and a result in one.
///
/// Nothing runs until ``run(in:)`` is called, and each call runs it anew.
/// ```swift
/// let jokes = AsyncResult<Services, [Joke]> { try await $0.jokes.all() }
/// let first = jokes.map(\.first).handleError { _ in .pure(nil) }
/// Feedback.while(\.isLoading) { _ in .run { try await first.map(Event.loaded).run(in: services) } }
/// ```
public struct AsyncResult<Context, Value> {
    private let work: nonisolated(nonsending) (Context) async throws -> Value

    /// - Parameter work: runs on the caller's isolation.
    public init(_ work: @escaping (Context) async throws -> Value) { self.work = work }

    /// A value that is there already.
    public static func pure(_ value: Value) -> AsyncResult { AsyncResult { _ in value } }

    /// A result that fails with this error.
    public static func failure(_ error: any Error) -> AsyncResult { AsyncResult { _ in throw error } }

    /// Runs the work.
    ///
    /// - Throws: whatever the work throws.
    public nonisolated(nonsending) func run(in context: Context) async throws -> Value { try await work(context) }

    /// Runs the work and gives its error as a value.
    package nonisolated(nonsending) func result(in context: Context) async -> Result<Value, any Error> {
        do { return .success(try await work(context)) } catch { return .failure(error) }
    }

    public func map<Other>(_ transform: @escaping (Value) -> Other) -> AsyncResult<Context, Other> {
        AsyncResult<Context, Other> { transform(try await self.work($0)) }
    }

    /// Goes on with what the value leads to, in the same context.
    public func flatMap<Other>(_ transform: @escaping (Value) -> AsyncResult<Context, Other>) -> AsyncResult<Context, Other> {
        AsyncResult<Context, Other> { try await transform(try await self.work($0)).run(in: $0) }
    }

    /// Answers an error with other work, in the same context. Cancellation is no error to answer.
    public func handleError(_ recover: @escaping (any Error) -> AsyncResult) -> AsyncResult {
        AsyncResult { context in
            do {
                return try await self.work(context)
            } catch let error as CancellationError {
                throw error
            } catch {
                return try await recover(error).run(in: context)
            }
        }
    }

    /// This work for a larger context, of which it needs a part.
    public func pullback<Whole>(_ part: @escaping (Whole) -> Context) -> AsyncResult<Whole, Value> {
        AsyncResult<Whole, Value> { try await self.work(part($0)) }
    }

    /// All values as a tuple. The parts run concurrently; the first error cancels the others.
    public static func zip<each Part>(_ parts: repeat AsyncResult<Context, each Part>) -> AsyncResult
    where Value == (repeat each Part) {
        AsyncResult { context in
            try await Next<Value>.zip(repeat next(each parts, in: context)).value()
        }
    }

    private static func next<Part>(_ part: AsyncResult<Context, Part>, in context: Context) -> Next<Part> {
        .run { try await part.run(in: context) }
    }
}
