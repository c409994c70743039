/// Work whose end the test decides: it waits until it is answered or cancelled.
package final class Answer<Value: Sendable> {
    private var waiting: [AsyncStream<Result<Value, any Error>>.Continuation] = []
    /// How often it was asked, and how many of the askers were cancelled.
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

    /// Answers all who wait now.
    package func give(_ value: Value) { end(.success(value)) }

    package func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Value, any Error>) {
        let all = waiting
        waiting = []
        for each in all { each.yield(result) }
    }
}
