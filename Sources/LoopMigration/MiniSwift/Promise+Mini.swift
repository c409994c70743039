public import LoopFlux

extension Promise {
    public enum Status: Sendable, Equatable { case idle, pending, fulfilled, rejected }

    public var status: Status { isIdle ? .idle : isPending ? .pending : isFulfilled ? .fulfilled : .rejected }

    /// An idle promise, whatever its type: `Promise<Void>()` is idle, too.
    public init() { self = .idle() }

    /// Rejected with an error: `Promise.error(_:)`.
    public init(error: any Error) { self = .error(error) }

    /// A settled promise.
    public init(_ result: Result<Value, any Error>) {
        self = .pending()
        resolve(result)
    }

    public var isRejected: Bool { error != nil }
    /// Fulfilled or rejected: `result` is not `nil`.
    public var isResolved: Bool { result != nil }
    public var isCompleted: Bool { isResolved }

    /// Fulfils the promise, unless it is settled, and returns whether it did. It need not be pending.
    @discardableResult
    public mutating func fulfill(_ value: Value) -> Bool { settle(.success(value)) }

    /// Rejects the promise, unless it is settled, and returns whether it did. It need not be pending.
    @discardableResult
    public mutating func reject(_ error: any Error) -> Bool { settle(.failure(error)) }

    private mutating func settle(_ result: Result<Value, any Error>) -> Bool {
        if isIdle { (self, properties) = (.pending(), properties) }
        return resolve(result)
    }

    /// Fulfilled with nothing: `Promise.value(())`.
    public static func empty() -> Promise where Value == Void { .value(()) }
}
