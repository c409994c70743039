public import LoopFlux

/// Mini's action with the outcome of some work as a promise (MiniPromises).
///
/// ```swift
/// struct AccessAnswered: CompletableAction {
///     typealias Payload = Bool
///     let promise: Promise<Payload>
/// }
/// ```
/// Swift synthesizes the required initializer of such a structure. In LoopFlux a `PayloadAction` carries a `Result`.
public protocol CompletableAction: PayloadAction { init(promise: Promise<Payload>) }

extension CompletableAction { public init(result: Result<Payload, any Error>) { self.init(promise: Promise(result)) } }

/// A ``CompletableAction`` of work without a result: its promise is a `Promise<Void>`.
public protocol EmptyAction: CompletableAction where Payload == Void {}

/// Mini's action with the outcome of some work as a promise under a key (MiniPromises).
///
/// ```swift
/// struct PriceLoaded: KeyedCompletableAction {
///     typealias Key = String
///     typealias Payload = Int
///     let promise: [Key: Promise<Payload>]
/// }
/// ```
public protocol KeyedCompletableAction: KeyedPayloadAction { init(promise: [Key: Promise<Payload>]) }

extension KeyedCompletableAction {
    public init(result: Result<Payload, any Error>, key: Key) { self.init(promise: [key: Promise(result)]) }
}

/// A ``KeyedCompletableAction`` of work without a result.
public protocol KeyedEmptyAction: KeyedCompletableAction where Payload == Void {}
