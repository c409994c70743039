/// A value behind a lock, with threads that wait for any change of it.
package final class WatchedValue<Value>: Sendable {
    private let lock: Lock<Value>
    private let changed = Condition()

    package init(_ value: sending Value) { lock = Lock(value) }

    /// Changes the value and wakes all who wait.
    package func change<Result>(_ body: (inout Value) -> Result) -> Result {
        let result = lock.withLock(body)
        changed.broadcast()
        return result
    }

    /// Waits until `body` gives something; it is asked again after each change.
    package func wait<Result>(for body: (inout Value) -> Result?) -> Result {
        lock.wait(on: changed) { value in body(&value).map { .done($0) } ?? .wait(nanoseconds: nil) }
    }
}
