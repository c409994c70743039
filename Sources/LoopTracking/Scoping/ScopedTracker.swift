public import TrackingEvents

/// One person's view of a tracker that many requests share, made by ``Tracker/scoped(user:session:)``: see ``LoopTracking``.
///
/// A value of two strings: make one for each request. The tracker's own user and session do not change, so no request gets another's user.
///
/// **With a session** the lines are numbered 1, 2, 3 …: first a `session_started` line with the tracker's context, then the events.
/// All scopes of one tracker with this session share the numbers. Two processes do not: a session that several processes serve needs an id
/// of its own in each, such as `"s9@web-1"`. The session lasts as long as its id is used. As others begin, the tracker may forget sessions
/// that have paused for longer than ``SessionRule`` allows and, if 100,000 are left, the quarter used longest ago: they begin at 1 again.
///
/// **Without a session** events have neither session nor number. Sinks count what they drop, but no check can prove that none is missing.
///
/// Consent, shared properties and sinks are the tracker's. Its sample rate chooses among sessions; events without one are all tracked.
public struct ScopedTracker: EventTracker {
    /// The most sessions whose numbers a tracker keeps for its scopes.
    package static let maxSessions = 100_000

    package let user: String
    /// Stamped on every event; `nil` for events that belong to no session.
    package let session: String?
    private let tracker: Tracker

    init(_ tracker: Tracker, user: String, session: String?) {
        (self.tracker, self.user, self.session) = (tracker, user, session == "" ? nil : session)
    }

    /// Stamps an event with this user and session, or with the user that it names, and hands it to every sink of the tracker.
    public func track(_ event: TrackingEvent, system: String? = nil) {
        tracker.track(event.person == nil ? event.by(user: user, session: session) : event, system: system)
    }
}

extension Tracker {
    /// A view of this tracker that stamps a user and a session of its own: for servers, where many requests share a tracker. Takes no lock.
    ///
    /// - Parameter session: the request's session, if it has one. An empty text is none.
    public func scoped(user: String, session: String? = nil) -> ScopedTracker { ScopedTracker(self, user: user, session: session) }
}
