public import LoopFlux

/// The name and the type of one free property of a task or a promise. In Mini: `task.date = Date()`.
///
/// The key is a type, so that a misspelt one does not compile. One declaration serves tasks and promises:
/// ```swift
/// enum LoadedOn: MetadataKey { typealias Value = Date }
/// extension MetadataCarrying {
///     var loadedOn: Date? {
///         get { self[LoadedOn.self] }
///         set { self[LoadedOn.self] = newValue }
///     }
/// }
/// state.products.loadedOn = Date()
/// ```
/// Keys are distinguished by their type: two keys of one name in different scopes are two properties.
public protocol MetadataKey { associatedtype Value: Sendable }

/// Something with free properties: ``TypedTask`` and `Promise`.
///
/// The properties belong to the value and are copied with it. Equality ignores them.
public protocol MetadataCarrying {
    /// The free property under the key; `nil` if none was set. Setting `nil` removes it.
    subscript<Key: MetadataKey>(_ key: Key.Type) -> Key.Value? { get set }
}

extension Promise: MetadataCarrying {
    public subscript<Key: MetadataKey>(_ key: Key.Type) -> Key.Value? {
        get { properties[ObjectIdentifier(key)] as? Key.Value }
        set { properties[ObjectIdentifier(key)] = newValue }
    }
}

extension TypedTask: MetadataCarrying {
    public subscript<Key: MetadataKey>(_ key: Key.Type) -> Key.Value? {
        get { properties[ObjectIdentifier(key)] as? Key.Value }
        set { properties[ObjectIdentifier(key)] = newValue }
    }
}
