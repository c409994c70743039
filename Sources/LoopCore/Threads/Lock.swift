#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A value that is only reached while a lock is held.
///
/// This module imports no other of ours, so it has its own. Over `pthread_mutex_t` and not `Synchronization.Mutex`, because
/// the thread sanitizer does not see through the latter on Linux and reports races in correct programs.
///
/// `@unchecked Sendable`: the mutex guards every access to the value.
final class Lock<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        let failed = pthread_mutex_init(mutex, nil)
        precondition(failed == 0, "pthread_mutex_init failed with \(failed)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value while the lock is held. Not recursive.
    func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
