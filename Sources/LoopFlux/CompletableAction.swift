/// An action that carries the outcome of some work as a ``Promise``: fulfilled or rejected.
///
/// ```swift
/// struct AccessAnswered: CompletableAction {
///     typealias Payload = Bool
///     let promise: Promise<Payload>
/// }
/// ```
/// The initializer that is asked for is the one that Swift writes for such a structure. In Mini: `MiniPromises.CompletableAction`.
public protocol CompletableAction: PayloadAction {
    init(promise: Promise<Payload>)
}

extension CompletableAction {
    public init(result: Result<Payload, any Error>) { self.init(promise: Promise(result)) }
}

/// A ``CompletableAction`` of work that brings nothing but its end.
///
/// ```swift
/// struct VoucherActivated: EmptyAction { let promise: Promise<Void> }
/// ```
public protocol EmptyAction: CompletableAction where Payload == Void {}

/// An action that carries the outcome of some work as a ``Promise`` under a key.
///
/// ```swift
/// struct PriceLoaded: KeyedCompletableAction {
///     typealias Key = String
///     typealias Payload = Int
///     let promise: [Key: Promise<Payload>]
/// }
/// ```
public protocol KeyedCompletableAction: KeyedPayloadAction {
    init(promise: [Key: Promise<Payload>])
}

extension KeyedCompletableAction {
    public init(result: Result<Payload, any Error>, key: Key) { self.init(promise: [key: Promise(result)]) }
}

/// A ``KeyedCompletableAction`` of work that brings nothing but its end.
public protocol KeyedEmptyAction: KeyedCompletableAction where Payload == Void {}
