import Basics

/// The clock that times steps and on which effects wait. It is handed in, so that tests and simulations can use their own.
public struct StepClock: Sendable {
    @usableFromInline let read: @Sendable () -> UInt64
    private let wait: @Sendable (Duration) async throws -> Void

    /// A clock from a function that returns nanoseconds and never goes backwards.
    ///
    /// - Parameter sleep: waits for ``Effect/delayed(by:)``, by default in real time; throws if its task is cancelled.
    public init(
        nanoseconds: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) { (read, wait) = (nanoseconds, sleep) }

    /// A clock of the standard library's kind. For LoopTesting's `ManualClock` take its own `clock`, which keeps delays in order.
    public init<Base: Clock<Duration>>(_ clock: Base) {
        // Its time does not begin at 0, which stands for a send that was not timed.
        let start = clock.now.advanced(by: .seconds(-1))
        self.init(
            nanoseconds: { UInt64(clamping: start.duration(to: clock.now).clampedNanoseconds) }, sleep: { try await clock.sleep(for: $0) })
    }

    /// Nanoseconds since some fixed moment.
    @inlinable package var nanoseconds: UInt64 { read() }

    nonisolated(nonsending) func sleep(_ duration: Duration) async throws { try await wait(duration.asSleep) }

    /// The machine's monotonic clock.
    public static let monotonic = StepClock(nanoseconds: {
        #if canImport(Darwin)
        // `CLOCK_MONOTONIC` counts whole microseconds on Apple systems.
        return UInt64(systemNanoseconds(CLOCK_MONOTONIC_RAW))
        #else
        return UInt64(systemNanoseconds(CLOCK_MONOTONIC))
        #endif
    })
}
