#if canImport(SwiftUI)
public import SwiftUI

/// A value that a control reads and writes: SwiftUI's `Binding` where SwiftUI exists, `Bound` elsewhere.
///
/// Both have `wrappedValue`, and bindings to their properties by dynamic member lookup.
public typealias ViewBinding = SwiftUI.Binding
#else
/// A value that a control reads and writes: SwiftUI's `Binding` where SwiftUI exists, `Bound` elsewhere.
public typealias ViewBinding = Bound

/// A value that a control reads and writes and that is kept elsewhere.
@MainActor @dynamicMemberLookup
public struct Bound<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    /// - Parameters:
    ///   - get: the value as of now.
    ///   - set: gets the value that the control writes; `get` need not return it afterwards.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.get = get
        self.set = set
    }

    /// The value as of now.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// The binding to a property of the value. Writing it writes the whole value back.
    public subscript<Property>(dynamicMember keyPath: WritableKeyPath<Value, Property>) -> Bound<Property> {
        Bound<Property>(
            get: { wrappedValue[keyPath: keyPath] },
            set: {
                var value = wrappedValue
                value[keyPath: keyPath] = $0
                wrappedValue = value
            })
    }
}
#endif
