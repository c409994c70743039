/// Refers to an object without keeping it alive.
public final class Weak<Object: AnyObject> {
    public private(set) weak var object: Object?
    public init(_ object: Object?) { self.object = object }
}

extension Weak {
    /// A weak reference that is set later.
    package final class Box {
        package weak var object: Object?

        package init() {}
    }
}
