#if canImport(SwiftUI)
public import SwiftUI

/// A value that a control reads and writes: SwiftUI's `Binding` where SwiftUI exists, a structure of our own elsewhere.
///
/// Both have `wrappedValue`, and bindings to their properties by dynamic member lookup.
public typealias ViewBinding = SwiftUI.Binding
#else
/// A value that a control reads and writes and that is kept elsewhere. Where SwiftUI exists, this is its `Binding`.
@MainActor @dynamicMemberLookup
public struct ViewBinding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    /// - Parameters:
    ///   - get: the value as of now.
    ///   - set: gets the value that the control writes; `get` need not return it afterwards.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) { (self.get, self.set) = (get, set) }

    /// The value as of now.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// The binding to a property of the value. Writing it writes the whole value back.
    public subscript<Property>(dynamicMember keyPath: WritableKeyPath<Value, Property>) -> ViewBinding<Property> {
        ViewBinding<Property>(
            get: { wrappedValue[keyPath: keyPath] },
            set: {
                var value = wrappedValue
                value[keyPath: keyPath] = $0
                wrappedValue = value
            })
    }
}
#endif
