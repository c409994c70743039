import Basics
public import LoopCore
import TrackingEvents

/// A clock for step timings that stands still until a test moves it.
///
/// ```swift
/// let time = ManualStepClock()
/// let system = System(initialState: 0, clock: time.clock) { (n: inout Int, _: Tick) in
///     time.advance(by: .microseconds(3))
///     n += 1
/// }
/// ```
/// Any thread may read and move it.
public final class ManualStepClock: Sendable {
    private let now: Lock<UInt64>

    /// - Parameter nanoseconds: where it stands first. Not 0 by default: a system takes a send time of 0 for "not measured".
    public init(nanoseconds: UInt64 = 1_000_000_000) { now = Lock(nanoseconds) }

    /// Where it stands, in nanoseconds.
    public var nanoseconds: UInt64 { now.withLock { $0 } }

    /// Hand this to ``/LoopCore/System``.
    public var clock: StepClock { StepClock { self.nanoseconds } }

    /// Moves it forward. A step clock never goes back: a negative duration is a programming error.
    public func advance(by duration: Duration) {
        let nanoseconds = duration.clampedNanoseconds
        precondition(nanoseconds >= 0, "A step clock never goes backwards; \(duration) is negative.")
        now.withLock { $0 &+= UInt64(nanoseconds) }
    }
}
