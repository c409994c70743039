/// The name and the type of one free property of a task or a promise.
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
public protocol MetadataKey { associatedtype Value: Sendable }

/// The free properties of one value, each under its ``MetadataKey``.
///
/// Keys are distinguished by their type: two keys of one name in different scopes are two properties.
public struct Metadata: Sendable { fileprivate var values: [ObjectIdentifier: any Sendable] = [:] }

/// Something with free properties: ``TypedTask`` and ``Promise``.
///
/// The properties belong to the value and are copied with it. Equality ignores them.
public protocol MetadataCarrying { var metadata: Metadata { get set } }

extension MetadataCarrying {
    /// The free property under the key; `nil` if none was set. Setting `nil` removes it.
    public subscript<Key: MetadataKey>(_ key: Key.Type) -> Key.Value? {
        get { metadata.values[ObjectIdentifier(key)] as? Key.Value }
        set { metadata.values[ObjectIdentifier(key)] = newValue }
    }
}
