import Basics

/// Time that only goes forward, for everything that waits or ages; setting the time of day does not move it.
public struct MonotonicClock: Sendable {
    private let read: @Sendable () -> Int64
    private let wait: @Sendable (UInt32) -> Void

    /// A clock from a function that returns nanoseconds since any fixed moment.
    public init(nanoseconds: @escaping @Sendable () -> Int64) { self.init(nanoseconds: nanoseconds) { usleep($0) } }

    /// A clock whose waiting, in microseconds, is a function, too, so that a simulation lets others work meanwhile.
    init(nanoseconds: @escaping @Sendable () -> Int64, wait: @escaping @Sendable (UInt32) -> Void) {
        (read, self.wait) = (nanoseconds, wait)
    }

    /// Nanoseconds since a fixed moment.
    public var nanoseconds: Int64 { read() }

    func sleep(microseconds: UInt32) { wait(microseconds) }

    /// The machine's, which goes on while the machine sleeps.
    public static let system = MonotonicClock {
        #if os(Linux)
        let id = CLOCK_BOOTTIME
        #else
        let id = CLOCK_MONOTONIC
        #endif
        var now = timespec()
        clock_gettime(id, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
