import LoopCore

/// A value that is to come, as a part of a state: not requested, under way, fulfilled or rejected.
///
/// ```swift
/// struct ShopState: Equatable { var product: Promise<Product> = .idle() }
///
/// state.product = .pending()                  // requested
/// state.product.resolve(action.result)        // fulfilled or rejected
/// ```
/// It is a value: settling one copy changes no other, so setting the state is all there is to do.
///
/// **The first settling wins.** A fulfilled or rejected promise does not change any more; to load again, replace it by ``pending()``.
///
/// **Equality.** Two promises are equal if they have the same status and equal values or errors. Values of a type that cannot be compared
/// are equal only in copies of one promise. Errors that are not `Equatable` are compared by type and description. ``metadata`` is not
/// compared.
public struct Promise<Value>: MetadataCarrying, Equatable {
    public enum Status: Sendable, Equatable {
        /// Not requested yet.
        case idle
        /// Requested and under way.
        case pending
        case fulfilled, rejected
    }

    enum Stage {
        case idle, pending
        case settled(Result<Value, any Error>, Stamp?)
    }

    var stage: Stage
    /// Free properties, such as when the value came.
    public var metadata = Metadata()

    /// An idle promise, whatever its type: `Promise<Void>()` is idle, too. A fulfilled promise of nothing is ``fulfilled()``.
    public init() { self.init(.idle) }

    /// A settled promise.
    public init(_ result: Result<Value, any Error>) { self.init(Self.settled(result)) }

    private init(_ stage: Stage) { self.stage = stage }

    /// Not requested yet.
    public static func idle() -> Promise { Promise() }

    /// Requested and under way.
    public static func pending() -> Promise { Promise(.pending) }

    /// Fulfilled with a value.
    public static func value(_ value: Value) -> Promise { Promise(.success(value)) }

    /// Rejected with an error.
    public static func error(_ error: any Error) -> Promise { Promise(.failure(error)) }

    private static func settled(_ result: Result<Value, any Error>) -> Stage {
        if case .success(let value) = result { return .settled(result, Stamp.ifNeeded(for: value)) }
        return .settled(result, nil)
    }

    /// Fulfils the promise, unless it is settled. It need not be pending.
    ///
    /// - Returns: whether it did.
    @discardableResult
    public mutating func fulfill(_ value: Value) -> Bool { settle(.success(value)) }

    /// Rejects the promise, unless it is settled. It need not be pending.
    ///
    /// - Returns: whether it did.
    @discardableResult
    public mutating func reject(_ error: any Error) -> Bool { settle(.failure(error)) }

    /// Settles the promise with a result if it is pending. A late answer to a request that was reset meanwhile changes nothing.
    ///
    /// - Parameter result: `nil` does nothing, so that another promise's ``result`` can be handed on as it is.
    /// - Returns: whether it did.
    @discardableResult
    public mutating func resolve(_ result: Result<Value, any Error>?) -> Bool { if let result, isPending { settle(result) } else { false } }

    private mutating func settle(_ result: Result<Value, any Error>) -> Bool {
        if isResolved { return false }
        stage = Self.settled(result)
        return true
    }

    public var status: Status {
        switch stage {
        case .idle: .idle
        case .pending: .pending
        case .settled(.success, _): .fulfilled
        case .settled(.failure, _): .rejected
        }
    }

    /// The value or the error; `nil` while idle or pending.
    public var result: Result<Value, any Error>? { if case .settled(let result, _) = stage { result } else { nil } }

    /// `nil` unless fulfilled.
    public var value: Value? { if case .settled(.success(let value), _) = stage { value } else { nil } }

    /// `nil` unless rejected.
    public var error: (any Error)? { if case .settled(.failure(let error), _) = stage { error } else { nil } }

    public var isIdle: Bool { status == .idle }
    public var isPending: Bool { status == .pending }
    public var isFulfilled: Bool { status == .fulfilled }
    public var isRejected: Bool { status == .rejected }
    /// Fulfilled or rejected.
    public var isResolved: Bool { isFulfilled || isRejected }

    public static func == (a: Promise, b: Promise) -> Bool {
        switch (a.stage, b.stage) {
        case (.idle, .idle), (.pending, .pending): true
        case (.settled(.success(let a), let stampA), .settled(.success(let b), let stampB)): Stamp.areEqual(a, stampA, b, stampB)
        case (.settled(.failure(let a), _), .settled(.failure(let b), _)): Sameness.ofErrors(a, b)
        default: false
        }
    }
}

extension Promise where Value == Void {
    /// A fulfilled promise of nothing.
    public static func fulfilled() -> Promise { Promise(.success(())) }
}

extension Promise: Sendable where Value: Sendable {}
extension Promise.Stage: Sendable where Value: Sendable {}
