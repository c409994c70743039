public import LoopCore

extension Next {
    /// Turns an error of the work into another: `recover { .failure(…) }`.
    public func mapError(_ transform: @escaping (any Error) -> any Error) -> Next { recover { .failure(transform($0)) } }

    /// Turns an error of the work into a value: PromisedArchitectureKit's name for `recover { .value(…) }`.
    public func mapErrorRecover(_ recover: @escaping (any Error) -> Value) -> Next { self.recover { .value(recover($0)) } }

    /// PromiseKit's name for `failure(_:)`.
    public init(error: any Error) { self = .failure(error) }

    /// PromiseKit's promise of work that calls back: `Next { seal in api.load { seal.fulfill($0) } }`. It begins anew at each run.
    public init(_ begin: @escaping (Resolver<Value>) throws -> Void) {
        self = .run {
            let (answers, answer) = AsyncThrowingStream<Value, any Error>.makeStream()
            try begin(Resolver(answer: answer))
            for try await value in answers { return value }
            throw CancellationError()
        }
    }
}

/// PromiseKit's seal: settles a `Next` from any thread. The first answer counts.
public struct Resolver<Value>: Sendable {
    let answer: AsyncThrowingStream<Value, any Error>.Continuation

    public func fulfill(_ value: sending Value) { answer.yield(value) }
    public func reject(_ error: any Error) { answer.finish(throwing: error) }
    public func resolve(_ result: sending Result<Value, any Error>) { answer.yield(with: result) }
}
