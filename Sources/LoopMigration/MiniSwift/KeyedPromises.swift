public import LoopFlux

/// Mini's dictionaries of promises, such as one for each product that was requested.
/// ```swift
/// state.prices = state.prices.mergingNew(with: [sku: .pending()])     // requested
/// state.prices.resolve(with: action.promise)                          // came
/// ```
extension Dictionary {
    /// The promise of a key; idle if there is none. (Mini stops the program there.)
    public subscript<Element>(promise key: Key) -> Value where Value == Promise<Element> { self[key] ?? .idle() }

    /// Whether there is something under the key.
    public func hasValue(for key: Key) -> Bool { self[key] != nil }

    /// The promises of both; those of `other` where a key is in both.
    public func mergingNew<Element>(with other: Self) -> Self where Value == Promise<Element> { merging(other) { _, new in new } }

    /// Replaces the promises of the keys in `other`; the rest stays. A settled promise is replaced, too.
    public mutating func resolve<Element>(with other: Self) where Value == Promise<Element> { merge(other) { _, new in new } }
}
