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

    /// ``wait(for:)`` for some time, a year at most; `nil` once that is over.
    package func wait<Result>(atMost limit: Duration, for body: (inout Value) -> Result?) -> Result? {
        let end = ContinuousClock.now + min(limit, .seconds(365 * 86_400))
        return lock.wait(on: changed) { value in
            if let result = body(&value) { return .done(result) }
            let left = (end - .now).clampedNanoseconds
            return left <= 0 ? .done(nil) : .wait(nanoseconds: left)
        }
    }
}
