#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A value that is only reached while a lock is held, and on whose changes threads can wait.
///
/// `@unchecked Sendable`: the mutex guards every access to the value, and callers let nothing that is not `Sendable` out
/// but what only one thread owns from then on.
@usableFromInline
package final class Monitor<Value>: @unchecked Sendable {
    /// What a waiting thread decides each time it looks.
    package enum Look<Result> {
        case done(Result)
        /// Look again after a signal, or after so many nanoseconds; without a number only after a signal.
        case wait(nanoseconds: Int64?)
    }

    @usableFromInline var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

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

    /// Runs `body` with the value while the lock is held. Not recursive.
    ///
    /// Inlinable, so that a caller in another module gets code for its own `Value`.
    @inlinable @inline(__always)
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock()
        defer { unlock() }
        return body(&value)
    }

    /// Looks at the value until `look` is done; between two looks the lock is free.
    ///
    /// The waiting is outside of `look`, so that no access to the value spans it.
    package func wait<Result>(on condition: Condition, _ look: (inout Value) -> Look<Result>) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            switch look(&value) {
            case .done(let result): return result
            case .wait(let nanoseconds): condition.wait(mutex, nanoseconds: nanoseconds)
            }
        }
    }
}
