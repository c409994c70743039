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
