import Basics
public import TrackingEvents

/// A time of day that stands still until a test moves it, forward or back.
///
/// ```swift
/// let time = ManualWallClock()
/// let sink = MemorySink()
/// let tracker = Tracker(to: sink, clock: time.clock)
/// tracker.track(.event("pdp_shown"))
/// time.advance(by: .seconds(31 * 60))            // the session has ended
/// ```
/// Any thread may read and move it.
public final class ManualWallClock: Sendable {
    private let now: Lock<Int64>

    /// - Parameter milliseconds: its first time, since 1970 UTC; by default 2026-01-01T00:00:00Z.
    public init(milliseconds: Int64 = 1_767_225_600_000) { now = Lock(milliseconds) }

    /// Milliseconds since 1970 UTC.
    public var milliseconds: Int64 { now.withLock { $0 } }

    /// The clock to hand to a tracker or a writer.
    public var clock: WallClock { WallClock { self.milliseconds } }

    /// Moves it by a duration, which may be negative: a wall clock can be set back. Parts of a millisecond are cut off.
    public func advance(by duration: Duration) { now.withLock { $0 = $0.addingClamped(duration.clampedMilliseconds) } }
}
