/// Carries what is not `Sendable` into a closure that has to be; the tests that use it run on one thread.
final class UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// Looks at an object without keeping it alive.
final class Weak<Object: AnyObject> {
    private(set) weak var object: Object?
    init(_ object: Object?) { self.object = object }
}

/// A clock that goes on by one at each reading. Only used on the main actor.
final class Counter: @unchecked Sendable {
    private var count: UInt64 = 0

    func next() -> UInt64 {
        count += 1
        return count
    }
}
