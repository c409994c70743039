import Basics

/// When a session ends by itself: after too long a pause, or when it has become too long.
///
/// A session also ends when the app says so: ``Tracker/endSession()``, ``Tracker/reset()``, ``Tracker/identify(_:)`` with another user,
/// ``Tracker/erase()``, and consent that is denied.
public struct SessionRule: Sendable, Equatable {
    private let maxIdleMilliseconds: Int64
    private let maxLengthMilliseconds: Int64

    /// - Parameters:
    ///   - maxIdle: a session without an event for longer than this has ended: 30 minutes, as web analytics count. In whole milliseconds.
    ///   - maxLength: no session is longer than this: 24 hours.
    public init(maxIdle: Duration = .seconds(30 * 60), maxLength: Duration = .seconds(24 * 60 * 60)) {
        maxIdleMilliseconds = maxIdle.clampedMilliseconds
        maxLengthMilliseconds = maxLength.clampedMilliseconds
    }

    /// Whether the pause since a session's last event is too long. Times are milliseconds since 1970.
    func isOver(lastEventAt: Int64, now: Int64) -> Bool { now.subtractingClamped(lastEventAt) > maxIdleMilliseconds }

    /// Whether a session has ended when a new event comes. `lastEventAt` is the latest so far: a clock set back and right again ends none.
    func hasEnded(startedAt: Int64, lastEventAt: Int64, now: Int64) -> Bool {
        isOver(lastEventAt: lastEventAt, now: now) || now.subtractingClamped(startedAt) > maxLengthMilliseconds
            || startedAt.subtractingClamped(now) > maxLengthMilliseconds
    }
}
