import Basics

/// The clock that times steps. Handed in, so that tests and simulations bring their own.
public struct StepClock: Sendable {
    @usableFromInline let read: @Sendable () -> UInt64

    /// A clock from a function that returns nanoseconds and never goes backwards.
    public init(nanoseconds: @escaping @Sendable () -> UInt64) { read = nanoseconds }

    /// Nanoseconds since some fixed moment.
    @inlinable package var nanoseconds: UInt64 { read() }

    /// The machine's monotonic clock.
    public static let monotonic = StepClock {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
    }
}
