/// When a session ends by itself.
public struct SessionRule: Sendable, Equatable {
    /// A session without an event for longer than this has ended, in milliseconds. 30 minutes, as web analytics count.
    public static let idleMilliseconds: Int64 = 30 * 60 * 1000
    /// No session is longer than this, in milliseconds. 24 hours.
    public static let longestMilliseconds: Int64 = 24 * 60 * 60 * 1000

    public var idleMilliseconds: Int64
    public var longestMilliseconds: Int64

    public init(
        idleMilliseconds: Int64 = SessionRule.idleMilliseconds, longestMilliseconds: Int64 = SessionRule.longestMilliseconds
    ) {
        self.idleMilliseconds = idleMilliseconds
        self.longestMilliseconds = longestMilliseconds
    }
}
