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
/// **The first settling wins.** ``resolve(_:)`` changes a pending promise only; to load again, replace it by ``pending()``.
///
/// **Equality.** Two promises are equal if they have the same status and equal values or errors. Values of a type that cannot be compared
/// are equal only in copies of one promise. Errors that are not `Equatable` are compared by type and description.
public struct Promise<Value>: Equatable {
    enum Stage {
        case idle, pending
        case settled(Result<Value, any Error>, Stamp?)
    }

    var stage: Stage
    /// LoopMigration's free properties, such as when the value came. They are not compared.
    package var properties: [ObjectIdentifier: any Sendable] = [:]

    private init(_ stage: Stage) { self.stage = stage }

    /// Not requested yet.
    public static func idle() -> Promise { Promise(.idle) }

    /// Requested and under way.
    public static func pending() -> Promise { Promise(.pending) }

    /// Fulfilled with a value.
    public static func value(_ value: Value) -> Promise { Promise(settled(.success(value))) }

    /// Rejected with an error.
    public static func error(_ error: any Error) -> Promise { Promise(settled(.failure(error))) }

    private static func settled(_ result: Result<Value, any Error>) -> Stage {
        if case .success(let value) = result { .settled(result, Stamp.ifNeeded(for: value)) } else { .settled(result, nil) }
    }

    /// Settles the promise with a result if it is pending. A late answer to a request that was reset meanwhile changes nothing.
    ///
    /// - Parameter result: `nil` does nothing, so that another promise's ``result`` can be handed on as it is.
    /// - Returns: whether it did.
    @discardableResult
    public mutating func resolve(_ result: Result<Value, any Error>?) -> Bool {
        guard let result, isPending else { return false }
        stage = Self.settled(result)
        return true
    }

    /// The value or the error; `nil` while idle or pending.
    public var result: Result<Value, any Error>? { if case .settled(let result, _) = stage { result } else { nil } }

    /// `nil` unless fulfilled.
    public var value: Value? { if case .settled(.success(let value), _) = stage { value } else { nil } }

    /// `nil` unless rejected.
    public var error: (any Error)? { if case .settled(.failure(let error), _) = stage { error } else { nil } }

    public var isIdle: Bool { if case .idle = stage { true } else { false } }
    public var isPending: Bool { if case .pending = stage { true } else { false } }
    public var isFulfilled: Bool { value != nil }

    public static func == (a: Promise, b: Promise) -> Bool {
        switch (a.stage, b.stage) {
        case (.idle, .idle), (.pending, .pending): true
        case (.settled(.success(let a), let stampA), .settled(.success(let b), let stampB)): Stamp.areEqual(a, stampA, b, stampB)
        case (.settled(.failure(let a), _), .settled(.failure(let b), _)): Sameness.ofErrors(a, b)
        default: false
        }
    }
}

extension Promise: Sendable where Value: Sendable {}
extension Promise.Stage: Sendable where Value: Sendable {}
