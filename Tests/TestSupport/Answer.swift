/// Work that ends when the test says so: each call waits until the test answers it or its task is cancelled.
package final class Answer<Value: Sendable> {
    private var waiting: [AsyncStream<Result<Value, any Error>>.Continuation] = []
    /// How many calls there were, and how many of them were cancelled.
    package private(set) var asked = 0
    package private(set) var cancelled = 0

    package init() {}

    package func callAsFunction() async throws -> Value {
        asked += 1
        let (answers, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
        waiting.append(continuation)
        for await answer in answers { return try answer.get() }
        cancelled += 1
        throw CancellationError()
    }

    /// Answers all calls that wait now.
    package func give(_ value: Value) { end(.success(value)) }

    package func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Value, any Error>) {
        let all = waiting
        waiting = []
        for each in all { each.yield(result) }
    }
}
