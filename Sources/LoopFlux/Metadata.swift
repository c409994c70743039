/// Names one free property of a task or a promise, and says what type it has.
///
/// Mini takes any name and finds out the type at run time (`task.date = Date()`); here the key is a type, so that a slip of the
/// pen does not compile. One declaration serves tasks and promises:
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
public protocol MetadataKey {
    associatedtype Value: Sendable
}

/// The free properties of one value, each under its ``MetadataKey``.
///
/// Keys are told apart by the type itself: two keys of one name in different scopes are two properties.
public struct Metadata: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// No properties.
    public init() {}

    public var isEmpty: Bool { values.isEmpty }

    /// The property under the key; `nil` where none was set. Setting `nil` takes it away.
    public subscript<Key: MetadataKey>(_ key: Key.Type) -> Key.Value? {
        get { values[ObjectIdentifier(key)] as? Key.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// Something with free properties: ``TypedTask`` and ``Promise``.
///
/// The properties belong to the value and are copied with it. They have no part in its equality.
public protocol MetadataCarrying {
    var metadata: Metadata { get set }
}

extension MetadataCarrying {
    /// The free property under the key; `nil` where none was set.
    public subscript<Key: MetadataKey>(_ key: Key.Type) -> Key.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
