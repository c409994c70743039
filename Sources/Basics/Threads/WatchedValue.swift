/// A value behind a lock, on whose changes threads can wait.
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

    /// Waits until `body` returns a result; it is called again after each change.
    package func wait<Result>(for body: (inout Value) -> Result?) -> Result {
        lock.wait(on: changed) { value in body(&value).map { .done($0) } ?? .wait(nanoseconds: nil) }
    }

    /// ``wait(for:)`` for at most `limit`, or a year if that is less; `nil` once the time is over.
    package func wait<Result>(atMost limit: Duration, for body: (inout Value) -> Result?) -> Result? {
        let end = ContinuousClock.now + min(limit, .seconds(365 * 86_400))
        return lock.wait(on: changed) { value in
            if let result = body(&value) { return .done(result) }
            let left = (end - .now).clampedNanoseconds
            return left <= 0 ? .done(nil) : .wait(nanoseconds: left)
        }
    }
}
