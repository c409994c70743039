/// A value that is to come, as a part of a state: asked for or not, come or refused.
///
/// ```swift
/// struct ShopState: Equatable { var product: Promise<Product> = .idle() }
///
/// state.product = .pending()                  // asked for
/// state.product.resolve(action.promise.result)     // came, or failed
/// ```
/// It is a value: settling one copy changes no other. (Mini's is an object, so settling it changes all states that share it behind
/// the store's back and needs `notify(to: store)` afterwards. Here setting the state is all there is to do.)
///
/// **The first settling wins.** Once fulfilled or rejected it stays so; to load again, put a new ``pending(metadata:)`` in its place.
///
/// **Equality.** Two promises are equal if they stand at the same point and hold equal values or errors; values of a type that
/// cannot be compared count as equal only in copies of one promise. Errors that are not `Equatable` are compared by type and
/// description. ``metadata`` has no part in it.
public struct Promise<Value>: MetadataCarrying {
    /// Where a promise stands.
    public enum Status: Sendable, Equatable {
        /// Nobody asked for the value yet.
        case idle
        /// It was asked for and is under way.
        case pending
        case fulfilled
        case rejected
    }

    enum Stage {
        case idle
        case pending
        case settled(Result<Value, any Error>, Stamp?)
    }

    var stage: Stage
    /// Free properties, such as when the value came.
    public var metadata = Metadata()

    /// A promise that nobody asked for yet.
    public init() { stage = .idle }

    /// A settled promise.
    public init(_ result: Result<Value, any Error>) { stage = Self.settled(result) }

    /// A rejected promise.
    public init(error: any Error) { self.init(.failure(error)) }

    private init(_ stage: Stage, _ metadata: Metadata) {
        self.stage = stage
        self.metadata = metadata
    }

    /// Nobody asked for it yet.
    public static func idle(metadata: Metadata = Metadata()) -> Promise { Promise(.idle, metadata) }

    /// Asked for and under way.
    public static func pending(metadata: Metadata = Metadata()) -> Promise { Promise(.pending, metadata) }

    /// Fulfilled with a value.
    public static func value(_ value: Value) -> Promise { Promise(.success(value)) }

    /// Rejected with an error.
    public static func error(_ error: any Error) -> Promise { Promise(.failure(error)) }

    private static func settled(_ result: Result<Value, any Error>) -> Stage {
        if case .success(let value) = result { return .settled(result, Stamp.ifNeeded(for: value)) }
        return .settled(result, nil)
    }

    /// Fulfils the promise, unless it is settled already. It need not have been pending.
    ///
    /// - Returns: whether it did.
    @discardableResult
    public mutating func fulfill(_ value: Value) -> Bool { resolve(.success(value)) }

    /// Rejects the promise, unless it is settled already. It need not have been pending.
    ///
    /// - Returns: whether it did.
    @discardableResult
    public mutating func reject(_ error: any Error) -> Bool { resolve(.failure(error)) }

    /// Settles the promise as the result says, unless it is settled already.
    ///
    /// - Parameter result: `nil` does nothing, so that another promise's ``result`` can be handed on as it is.
    /// - Returns: whether it did.
    @discardableResult
    public mutating func resolve(_ result: Result<Value, any Error>?) -> Bool {
        guard let result, !isResolved else { return false }
        stage = Self.settled(result)
        return true
    }
}

extension Promise {
    public var status: Status {
        switch stage {
        case .idle: .idle
        case .pending: .pending
        case .settled(.success, _): .fulfilled
        case .settled(.failure, _): .rejected
        }
    }

    /// The value or the error; `nil` while idle or pending.
    public var result: Result<Value, any Error>? {
        if case .settled(let result, _) = stage { result } else { nil }
    }

    /// `nil` unless fulfilled.
    public var value: Value? {
        if case .settled(.success(let value), _) = stage { value } else { nil }
    }

    /// `nil` unless rejected.
    public var error: (any Error)? {
        if case .settled(.failure(let error), _) = stage { error } else { nil }
    }

    public var isIdle: Bool { status == .idle }
    public var isPending: Bool { status == .pending }
    public var isFulfilled: Bool { status == .fulfilled }
    public var isRejected: Bool { status == .rejected }
    /// Fulfilled or rejected.
    public var isResolved: Bool { isFulfilled || isRejected }
    /// The same as ``isResolved``; Mini has both names.
    public var isCompleted: Bool { isResolved }
}

extension Promise where Value == Void {
    /// A fulfilled promise of nothing, as in Mini; ask for ``idle(metadata:)`` where that is meant.
    public init() { self.init(.success(())) }

    /// A fulfilled promise of nothing.
    public static func empty() -> Promise { Promise() }
}

extension Promise: Equatable {
    public static func == (a: Promise, b: Promise) -> Bool {
        switch (a.stage, b.stage) {
        case (.idle, .idle), (.pending, .pending): true
        case (.settled(.success(let a), let stampA), .settled(.success(let b), let stampB)): Stamp.areEqual(a, stampA, b, stampB)
        case (.settled(.failure(let a), _), .settled(.failure(let b), _)): Sameness.of(a, b)
        default: false
        }
    }
}

extension Promise: Sendable where Value: Sendable {}
extension Promise.Stage: Sendable where Value: Sendable {}
