import Basics
public import LoopCore
public import TrackingEvents

/// Turns times of a `StepClock` into times of day. It reads both clocks when it is made: later changes of the wall clock do not move spans.
public struct TraceEpoch: Sendable, Hashable {
    /// The times of both clocks at the same moment.
    private let steps: UInt64
    private let unix: Int64

    /// - Parameter clock: that of the systems whose spans are converted.
    public init(clock: StepClock = .monotonic, wallClock: WallClock = .system) {
        steps = clock.nanoseconds
        unix = wallClock.milliseconds
    }

    /// The time of day in nanoseconds since 1970 UTC, 0 for any time before that and `UInt64.max` after the year 2554.
    ///
    /// - Parameter time: in nanoseconds of the step clock, such as ``TraceSpan/start``.
    public func unixNanoseconds(_ time: UInt64) -> UInt64 {
        let (base, overflow) = UInt64(Swift.max(unix, 0)).multipliedReportingOverflow(by: 1_000_000)
        if overflow { return .max }
        return time < steps ? base.subtractingClamped(steps - time) : base.addingClamped(time - steps)
    }
}
