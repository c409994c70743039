public import TrackingEvents

/// Says who did what, when and in which session, and hands it to the sinks.
///
/// ```swift
/// let tracker = Tracker(to: try EventFileWriter(folder: "events"))
/// let system = System(initialState: .start, reducer: Shop.reduce)
///     .attach(.track(to: tracker, Shop.trackingEvent))
/// tracker.identify("u17")
/// ```
/// **Any thread.** All of it may be called from anywhere. Stamping and the hand-over to the sinks happen under one lock, so
/// every sink gets the events of a session in the order of their sequence numbers.
///
/// **Sessions.** A session belongs to one tracker. It begins with the first event, with a `session_started` meta line that carries
/// the context once for all of them, and ends by ``SessionRule``, by ``endSession()``, by ``reset()`` or with the tracker. Several
/// systems may share a tracker.
///
/// A child process begins a session of its own after `fork`.
///
/// **Users.** Until ``identify(_:)`` events carry an anonymous id, which starts with `a-`.
public final class Tracker: Sendable {
    private struct Session {
        let id: String
        let startedAt: Int64
        var lastEventAt: Int64
        var sequence: Int64 = 0
    }

    private struct Identity {
        var user: String?
        var anonymous: String
        var session: Session?
        var previousSession: String?
        var shared: TrackingProperties
        var random: SeededRandom

        var current: String { user ?? anonymous }
    }

    private let identity: Lock<Identity>
    private let sinks: [any TrackingSink]
    private let clock: WallClock
    private let rule: SessionRule
    private let context: TrackingProperties
    private let fork = ForkGuard()

    /// A tracker without a session yet.
    ///
    /// - Parameters:
    ///   - sinks: each gets every event.
    ///   - user: the user's id, if it is known already.
    ///   - anonymousID: the id until the user is known; it should be the one of earlier runs. `nil` makes a new one.
    ///   - context: app, device and system, told once a session.
    ///   - sharedProperties: added to every event that does not have the key itself.
    ///   - rule: when a session ends by itself.
    ///   - clock: stamps the events.
    ///   - random: the source of ids. A fixed seed repeats them: for tests and simulations only.
    public init(
        to sinks: any TrackingSink..., user: String? = nil, anonymousID: String? = nil, context: TrackingProperties = [:],
        sharedProperties: TrackingProperties = [:], rule: SessionRule = SessionRule(), clock: WallClock = .system,
        random: SeededRandom = SeededRandom()
    ) {
        self.sinks = sinks
        self.clock = clock
        self.rule = rule
        self.context = context
        var random = random
        let anonymous = anonymousID ?? Self.anonymousID(at: clock.milliseconds, &random)
        identity = Lock(
            Identity(
                user: user, anonymous: anonymous, session: nil, previousSession: nil, shared: sharedProperties, random: random))
    }

    /// The user's id, or the anonymous one until the user is known.
    public var user: String { identity.withLock { $0.current } }

    /// The id of the session under way; `nil` before its first event. It may have ended by the rule: the next event tells.
    public var session: String? { identity.withLock { $0.session?.id } }

    /// Stamps an event and hands it to every sink.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - system: the name of the loop it came from.
    public func track(_ event: TrackingEvent, system: String? = nil) {
        identity.withLock { identity in
            let now = clock.milliseconds
            continueSession(of: &identity, at: now)
            var event = event
            if !identity.shared.isEmpty { event.properties = event.properties.merging(under: identity.shared) }
            emit(event, kind: .track, system: system, at: now, &identity)
        }
    }

    /// From now on the events are those of a known user, and what the anonymous id did before belongs to that user, too.
    ///
    /// The same id again changes nothing. Another one while a user is known is a change of user on one device: the session
    /// ends, and nothing is joined.
    public func identify(_ user: String) {
        identity.withLock { identity in
            let now = clock.milliseconds
            switch identity.user {
            case user: return
            case .some:
                endSession(of: &identity)
                identity.anonymous = Self.anonymousID(at: now, &identity.random)
                identity.user = user
            case nil:
                continueSession(of: &identity, at: now)
                identity.user = user
                let event = TrackingEvent(MetaEventName.identified, ["anonymous": .string(identity.anonymous)])
                emit(event, kind: .meta, system: nil, at: now, &identity)
            }
        }
    }

    /// Forgets the user, as at a log-out: the session ends, and the next events carry a new anonymous id.
    public func reset() {
        identity.withLock { identity in
            endSession(of: &identity)
            identity.user = nil
            identity.anonymous = Self.anonymousID(at: clock.milliseconds, &identity.random)
        }
    }

    /// Ends the session; the next event begins a new one.
    public func endSession() {
        identity.withLock { endSession(of: &$0) }
    }

    /// Sets a property that every later event has unless it brings the key itself; `nil` takes it away.
    public func setSharedProperty(_ key: String, _ value: TrackingValue?) {
        identity.withLock { $0.shared[key] = value }
    }

    /// Brings what was tracked so far to where the sinks keep it.
    ///
    /// Every sink is flushed, whatever the others say.
    ///
    /// - Throws: the first sink's error.
    public func flush() async throws {
        var first: (any Error)?
        for sink in sinks {
            do { try await sink.flush() } catch { first = first ?? error }
        }
        if let first { throw first }
    }

    private func continueSession(of identity: inout Identity, at now: Int64) {
        if fork.isInherited {
            // The parent goes on with the session, and with the numbers that its generator gives.
            identity.random = identity.random.inChild(at: now)
            endSession(of: &identity)
            fork.adopt()
        }
        if let session = identity.session {
            let isIdle = elapsed(from: session.lastEventAt, to: now) > rule.idleMilliseconds
            let isTooLong = elapsed(from: session.startedAt, to: now) > rule.longestMilliseconds
            if !isIdle && !isTooLong { return }
            endSession(of: &identity)
        }
        let id = hexadecimal(identity.random.next())
        identity.session = Session(id: id, startedAt: now, lastEventAt: now)
        var properties = context
        // Sampling is per session; a tracker that does not sample says so.
        properties["sample_rate"] = .double(1)
        if let previous = identity.previousSession { properties["previous_session"] = .string(previous) }
        emit(TrackingEvent(MetaEventName.sessionStarted, properties), kind: .meta, system: nil, at: now, &identity)
    }

    private func endSession(of identity: inout Identity) {
        guard let session = identity.session else { return }
        identity.previousSession = session.id
        identity.session = nil
    }

    private func emit(_ event: TrackingEvent, kind: TrackedEvent.Kind, system: String?, at now: Int64, _ identity: inout Identity) {
        guard var session = identity.session.take() else { return }
        session.sequence += 1
        // A clock that was set back does not make a session look idle when it is set right again.
        session.lastEventAt = max(now, session.lastEventAt)
        let tracked = TrackedEvent(
            timeMilliseconds: now, event: event, user: identity.current, session: session.id, sequence: session.sequence,
            id: EventID(milliseconds: now, random: &identity.random), kind: kind, system: system)
        identity.session = session
        for sink in sinks { sink.record(tracked) }
    }

    private static func anonymousID(at now: Int64, _ random: inout SeededRandom) -> String {
        "a-\(EventID(milliseconds: now, random: &random))"
    }
}

/// Milliseconds between two readings of a clock that may be wrong by any amount: never traps.
private func elapsed(from earlier: Int64, to later: Int64) -> Int64 {
    let (difference, overflow) = later.subtractingReportingOverflow(earlier)
    return overflow ? (later < earlier ? .min : .max) : difference
}

/// 16 digits.
private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
}
