/// A tracking event stamped with user, time, session and number: what a sink gets, and one line of a file.
public struct StampedEvent: Sendable, Equatable {
    /// The kind of a line.
    public enum Kind: Sendable, Equatable {
        /// Something a user did or saw. The only kind that a funnel sees.
        case track
        /// A note of the tracker or the writer about the events themselves.
        case meta
        /// A measurement of the loop.
        case timing
    }

    /// The de-duplication key.
    public var id: EventID
    /// Wall clock in milliseconds since 1970 UTC. It may go backwards when the clock is set.
    public var timeMilliseconds: Int64
    public var event: TrackingEvent
    /// The user id, or the anonymous id, which starts with `a-`. Absent only on notes that no user caused, such as `dropped`.
    public var user: String?
    public var session: String?
    /// 1, 2, 3 … in the session. It proves that no event is missing. Funnels do not order events by it.
    public var sequence: Int64?
    public var kind: Kind
    /// The name of the loop the event came from.
    public var system: String?
}

extension StampedEvent {
    // In an extension, so that the memberwise initializer (whose first parameter is the id) exists. An initializer that sets one property
    // after the other would copy the whole event once more, with six references, and destroy the first copy.
    public init(
        timeMilliseconds: Int64, event: TrackingEvent, user: String? = nil, session: String? = nil, sequence: Int64? = nil, id: EventID,
        kind: Kind = .track, system: String? = nil
    ) {
        self.init(
            id: id, timeMilliseconds: timeMilliseconds, event: event, user: user, session: session, sequence: sequence, kind: kind,
            system: system)
    }

    /// A note about the events themselves, which no user caused.
    package init(note name: String, _ properties: TrackingProperties, at milliseconds: Int64, random: inout SeededRandom) {
        let id = EventID(milliseconds: milliseconds, random: &random)
        self.init(timeMilliseconds: milliseconds, event: TrackingEvent(name, properties), id: id, kind: .meta)
    }
}
