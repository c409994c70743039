#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A value behind a lock, with threads that wait for it to change.
///
/// `@unchecked Sendable`: the mutex guards every access to the value; what is inside must not leave it except where its owner
/// hands it from thread to thread.
final class Monitor<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        let failed = pthread_mutex_init(mutex, nil) | pthread_cond_init(changed, nil)
        precondition(failed == 0, "a mutex or condition could not be made: out of memory")
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Changes the value and wakes all who wait.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let result = body(&value)
        pthread_cond_broadcast(changed)
        return result
    }

    /// Waits until `body` gives something; it is asked again after each change.
    func wait<Result>(for body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            pthread_cond_wait(changed, mutex)
        }
    }
}
