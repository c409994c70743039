/// A condition variable for a ``Lock``. Counts time on the monotonic clock, so that setting the time of day wakes nobody.
package final class Condition: Sendable {
    // Safe because the pointer is set once, and POSIX lets any thread use the condition that it leads to.
    nonisolated(unsafe) private let variable: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        variable = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        #if !canImport(Darwin)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        #endif
        let failed = pthread_cond_init(variable, &attributes)
        pthread_condattr_destroy(&attributes)
        precondition(failed == 0, "pthread_cond_init failed with \(failed)")
    }

    deinit {
        pthread_cond_destroy(variable)
        variable.deallocate()
    }

    package func signal() { pthread_cond_signal(variable) }
    package func broadcast() { pthread_cond_broadcast(variable) }

    /// Releases the mutex while it waits. May return early, as condition variables do.
    func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, nanoseconds: Int64?) {
        guard let nanoseconds else {
            pthread_cond_wait(variable, mutex)
            return
        }
        // A day at most: a longer wait could overflow `timespec`, and to look once a day costs nothing.
        let span = min(max(nanoseconds, 0), 86_400_000_000_000)
        #if canImport(Darwin)
        var time = timespec(tv_sec: Int(span / 1_000_000_000), tv_nsec: Int(span % 1_000_000_000))
        pthread_cond_timedwait_relative_np(variable, mutex, &time)
        #else
        let end = systemNanoseconds(CLOCK_MONOTONIC) + span
        var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
        pthread_cond_timedwait(variable, mutex, &time)
        #endif
    }
}
