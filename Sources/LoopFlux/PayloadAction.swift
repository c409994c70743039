/// An action that carries how some work ended: with a payload or with an error.
///
/// ```swift
/// struct ProductsLoaded: PayloadAction { let result: Result<[Product], any Error> }
///
/// dispatcher.dispatch(ProductsLoaded.self, fillOnError: []) { try await api.products() }
/// ```
public protocol PayloadAction<Payload>: Action {
    /// What the work returns.
    associatedtype Payload

    /// The action for an outcome.
    init(result: Result<Payload, any Error>)
}

/// An action that carries how one of several works of a kind ended. A key distinguishes the works.
///
/// ```swift
/// struct PriceLoaded: KeyedPayloadAction {
///     let result: Result<Int, any Error>
///     let key: String
/// }
///
/// dispatcher.dispatch(PriceLoaded.self, key: sku) { try await api.price(of: sku) }
/// ```
public protocol KeyedPayloadAction<Key, Payload>: Action {
    associatedtype Key: Hashable
    /// What the work returns.
    associatedtype Payload

    /// The action for an outcome of the key's work.
    init(result: Result<Payload, any Error>, key: Key)
}
