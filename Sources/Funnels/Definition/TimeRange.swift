/// Which times count: from ``since`` on, before ``until``.
public struct TimeRange: Sendable, Hashable {
    /// The first millisecond that counts, since 1970 UTC; `nil` for all from the beginning.
    public let since: Int64?
    /// The first millisecond that no longer counts, since 1970 UTC; `nil` for all to the end.
    public let until: Int64?

    /// All times.
    public static let all = TimeRange()

    private init() { (since, until) = (nil, nil) }

    /// - Throws: ``FunnelDefinitionError/emptyTimeRange(since:until:)`` if no time lies between the two.
    public init(since: Int64?, until: Int64?) throws(FunnelDefinitionError) {
        if let since, let until, since >= until { throw .emptyTimeRange(since: since, until: until) }
        self.since = since
        self.until = until
    }

    @inline(__always)
    func contains(_ time: Int64) -> Bool { time >= since ?? .min && (until.map { time < $0 } ?? true) }
}
