/// A tracking event stamped with user, time, session and number: what a sink gets, and one line of a file.
public struct StampedEvent: Sendable, Equatable {
    /// What a line is.
    public enum Kind: Sendable, Equatable {
        /// Something a user did or saw. The only kind that a funnel sees.
        case track
        /// A note of the tracker or the writer about the events themselves.
        case meta
        /// A measurement of the loop.
        case timing
    }

    /// Wall clock in milliseconds since 1970 UTC. It may go backwards when the clock is set.
    public var timeMilliseconds: Int64
    public var event: TrackingEvent
    /// The user id, or the anonymous id, which starts with `a-`. Absent only on lines that a writer makes itself.
    public var user: String?
    public var session: String?
    /// 1, 2, 3 … in the session. It proves completeness and orders nothing.
    public var sequence: Int64?
    /// The de-duplication key.
    public var id: EventID
    public var kind: Kind
    /// The name of the loop the event came from.
    public var system: String?

    public init(
        timeMilliseconds: Int64, event: TrackingEvent, user: String? = nil, session: String? = nil, sequence: Int64? = nil, id: EventID,
        kind: Kind = .track, system: String? = nil
    ) {
        (self.timeMilliseconds, self.event, self.user, self.session) = (timeMilliseconds, event, user, session)
        (self.sequence, self.id, self.kind, self.system) = (sequence, id, kind, system)
    }
}
