import Basics
import TrackingEvents

/// What all parts of a writer's thread are given. The clocks' defaults are for tests.
struct WriterContext: Sendable {
    let options: EventFileWriterOptions
    var wallClock = WallClock.system
    var clock = MonotonicClock.system
    var onError: (@Sendable (EventFileError) -> Void)?
    var onDrop: (@Sendable ([DropReason: Int]) -> Void)?
    var onRecovery: (@Sendable (RecoveryResult) -> Void)?

    /// Nanoseconds until the next attempt, given the pause before it.
    func pause(after last: Int64? = nil) -> Int64 {
        let longest = max(1, options.longestRetry.clampedNanoseconds)
        return min(longest, last.map { $0.addingClamped($0) } ?? max(1, options.firstRetry.clampedNanoseconds))
    }
}
