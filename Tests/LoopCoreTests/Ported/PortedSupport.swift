/// Work whose end the test decides: it waits until it is answered or cancelled.
final class Answer<Value: Sendable> {
    private var waiting: [AsyncStream<Result<Value, any Error>>.Continuation] = []
    /// How often it was asked, and how many of the askers were cancelled.
    private(set) var asked = 0
    private(set) var cancelled = 0

    func callAsFunction() async throws -> Value {
        asked += 1
        let (answers, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
        waiting.append(continuation)
        for await answer in answers { return try answer.get() }
        cancelled += 1
        throw CancellationError()
    }

    /// Answers all who wait now.
    func give(_ value: Value) { end(.success(value)) }

    func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Value, any Error>) {
        let all = waiting
        waiting = []
        for each in all { each.yield(result) }
    }
}

/// Gives way until the condition holds.
///
/// - Returns: `false` if it does not come to hold.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<10_000 {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}

/// Lets whatever is ready to run go on.
func giveWay() async { for _ in 0..<20 { await Task.yield() } }

/// Notes in words, in their order.
final class Journal {
    private(set) var lines: [String] = []

    func note(_ line: String) { lines.append(line) }
}
