import Basics

/// Time that only goes forward, for everything that waits or ages; setting the time of day does not move it.
public struct MonotonicClock: Sendable {
    private let read: @Sendable () -> Int64
    private let wait: @Sendable (UInt32) -> Void

    /// A clock from a function that returns nanoseconds since any fixed moment.
    public init(nanoseconds: @escaping @Sendable () -> Int64) {
        self.init(nanoseconds: nanoseconds) { _ = poll(nil, 0, Int32($0 / 1_000)) }
    }

    /// A clock that waits by calling `wait` with microseconds. A simulation lets others work meanwhile.
    init(nanoseconds: @escaping @Sendable () -> Int64, wait: @escaping @Sendable (UInt32) -> Void) {
        (read, self.wait) = (nanoseconds, wait)
    }

    /// Nanoseconds since a fixed moment.
    public var nanoseconds: Int64 { read() }

    func sleep(microseconds: UInt32) { wait(microseconds) }

    /// The machine's clock, which goes on while the machine sleeps.
    public static let system = MonotonicClock {
        #if os(Linux)
        return systemNanoseconds(CLOCK_BOOTTIME)
        #else
        return systemNanoseconds(CLOCK_MONOTONIC)
        #endif
    }
}
