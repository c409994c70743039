/// Promises under keys, such as one for each product that was asked for.
/// ```swift
/// state.prices = state.prices.mergingNew(with: [sku: .pending()])     // asked for
/// state.prices.resolve(with: action.promise)                          // came
/// ```
extension Dictionary {
    /// The promise of a key, idle where there is none yet. (Mini stops the program there.)
    public subscript<Element>(promise key: Key) -> Value where Value == Promise<Element> { self[key] ?? .idle() }

    /// Whether there is something under the key.
    public func hasValue(for key: Key) -> Bool { self[key] != nil }

    /// The promises of both, those of `other` where a key is in both.
    public func mergingNew<Element>(with other: Self) -> Self where Value == Promise<Element> {
        merging(other) { _, new in new }
    }

    /// Puts the promises of `other` in the place of those with the same keys; the rest stays.
    ///
    /// As in Mini it is the dictionary that changes, so a key that is settled already can be loaded again.
    public mutating func resolve<Element>(with other: Self) where Value == Promise<Element> {
        merge(other) { _, new in new }
    }
}
