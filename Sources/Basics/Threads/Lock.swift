/// A value that is only reached while a lock is held, and on whose changes threads can wait.
///
/// Built on `pthread_mutex_t`: on Linux the thread sanitizer does not see through `Synchronization.Mutex`, and reports false races.
///
/// The closures that get the value must not let a reference out of it that is not `Sendable`. The compiler does not check this.
@usableFromInline
package final class Lock<Value>: Sendable {
    /// What a waiting thread decides each time it looks.
    package enum Look<Result> {
        case done(Result)
        /// Look again after a signal, or after this many nanoseconds; `nil` waits for a signal alone.
        case wait(nanoseconds: Int64?)
    }

    // Safe because only `withLock` and `wait` reach it, with the mutex held. The check of exclusive access would cost as much as the mutex.
    @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var value: Value
    // Safe because the pointer is set once, and POSIX lets any thread lock the mutex that it leads to.
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        let failed = pthread_mutex_init(mutex, nil)
        precondition(failed == 0, "pthread_mutex_init failed with \(failed)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @usableFromInline func lock() { pthread_mutex_lock(mutex) }
    @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }

    /// Runs `body` with the value while the lock is held. Not recursive: `body` must not take the same lock.
    ///
    /// Inlinable, so that a caller in another module gets code for its own `Value`.
    @inlinable @inline(__always)
    package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body(&value)
    }

    /// Calls `look` with the value until it gives ``Look/done(_:)``; between two calls the lock is free.
    ///
    /// It waits outside of `look`, so that no access to the value spans the wait.
    package func wait<Result>(on condition: Condition, _ look: (inout Value) -> Look<Result>) -> Result {
        lock()
        defer { unlock() }
        while true {
            switch look(&value) {
            case .done(let result): return result
            case .wait(let nanoseconds): condition.wait(mutex, nanoseconds: nanoseconds)
            }
        }
    }
}
