/// Looks at an object without keeping it alive.
package final class Weak<Object: AnyObject> {
    package private(set) weak var object: Object?
    package init(_ object: Object?) { self.object = object }
}

extension Weak {
    /// A weak reference that is set later.
    package final class Box {
        package weak var object: Object?

        package init() {}
    }
}
