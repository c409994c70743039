import Basics

/// The time of day, as a value that tests and simulations can replace.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Int64

    /// A clock from a function that returns milliseconds since 1970 UTC.
    public init(milliseconds: @escaping @Sendable () -> Int64) { read = milliseconds }

    /// Milliseconds since 1970 UTC. May go backwards.
    public var milliseconds: Int64 { read() }

    /// The machine's clock.
    public static let system = WallClock {
        // Not through nanoseconds, which end in 2262: a clock may be set to any year.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
